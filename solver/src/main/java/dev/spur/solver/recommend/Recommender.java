package dev.spur.solver.recommend;

import dev.spur.model.cluster.Pool;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NoCandidateReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recommender of a configuration for a job that runs alone on the nodes of a catalog. Its options are the candidates
 * that a round would offer. An option that a round leaves out needs no less of the same nodes and is no faster.
 */
public final class Recommender {
    private static final String TENANT = "root";
    private static final String JOB = "job";
    /** Any deadline makes rounds offer faster candidates, even where their objective gains nothing from them. */
    private static final double SOME_DEADLINE = 1;

    private Recommender() {}

    /**
     * Returns every option of a job for all its work, in the order of nodes, slots and aggregation slots; empty if it
     * fits nowhere.
     */
    public static List<Option> options(JobSpec spec, NodeCatalog market, SpeedUncertainty spread) {
        return options(spec, spec.totalSamples(), market, spread);
    }

    /** Returns the same with {@code samples} effective samples remaining. */
    public static List<Option> options(JobSpec spec, double samples, NodeCatalog market, SpeedUncertainty spread) {
        CandidateSet candidates = CandidateGenerator.generate(problem(spec, market));
        return candidates.of(0).fresh().stream()
                .map(candidate -> option(spec, samples, market, candidate, spread))
                .toList();
    }

    /** Returns the best of these options for {@code target}; empty if the job fits nowhere. */
    public static Optional<Recommendation> recommend(
            JobSpec spec, NodeCatalog market, SpeedUncertainty spread, RecommendationGoal target) {
        return Recommendation.of(options(spec, market, spread), target);
    }

    /** Returns the reason why there is no option. */
    public static NoCandidateReason whyNone(JobSpec spec, NodeCatalog market) {
        return CandidateGenerator.generate(problem(spec, market)).of(0).unfit();
    }

    private static Option option(
            JobSpec spec, double samples, NodeCatalog market, Candidate candidate, SpeedUncertainty spread) {
        return new Option(
                candidate.configuration(),
                candidate.goodput(),
                spread.of(candidate.configuration()),
                spec.restartPenaltySeconds(),
                samples / candidate.goodput(),
                market.pricePerHour(candidate.configuration()));
    }

    private static RoundProblem problem(JobSpec spec, NodeCatalog market) {
        List<String> pools =
                market.nodes().stream().map(node -> node.pool()).distinct().toList();
        Job job = new Job(
                JOB,
                TENANT,
                0,
                spec,
                spec.totalSamples(),
                SOME_DEADLINE,
                DeadlineStatus.PENDING,
                ServiceHistory.ofArrival(0),
                null);
        return new RoundProblem(
                RoundProblem.FORMAT,
                0,
                RoundSettings.DEFAULT.withObjective(Objective.of(ObjectiveKind.PROGRESS)),
                market.types(),
                pools.stream().map(pool -> new Pool(pool, false)).toList(),
                market.nodes(),
                List.of(),
                List.of(new Tenant(TENANT, null, 1, Map.of())),
                List.of(),
                List.of(job),
                RoundMemory.EMPTY);
    }
}
