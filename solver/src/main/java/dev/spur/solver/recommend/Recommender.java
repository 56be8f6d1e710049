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
 * Recommends a configuration for a job that has the nodes of a market to itself. Its options are the candidates that a
 * round would offer: what they leave out needs no less of the same nodes and is no faster.
 */
public final class Recommender {
    private static final String TENANT = "root";
    private static final String JOB = "job";
    /** Any deadline makes rounds offer faster candidates even where their objective sees no use in them. */
    private static final double SOME_DEADLINE = 1;

    private Recommender() {}

    /**
     * Every option of a job that does all its work, in the order of nodes, slots and aggregation slots; empty if it
     * fits nowhere.
     */
    public static List<Option> options(JobSpec spec, NodeCatalog market, SpeedUncertainty spread) {
        return options(spec, spec.totalSamples(), market, spread);
    }

    /** The same, where {@code samples} useful samples are left to do. */
    public static List<Option> options(JobSpec spec, double samples, NodeCatalog market, SpeedUncertainty spread) {
        CandidateSet candidates = CandidateGenerator.generate(problem(spec, market));
        return candidates.of(0).fresh().stream()
                .map(candidate -> option(spec, samples, market, candidates, candidate, spread))
                .toList();
    }

    /** The best of these options for {@code target}; empty if the job fits nowhere. */
    public static Optional<Recommendation> recommend(
            JobSpec spec, NodeCatalog market, SpeedUncertainty spread, RecommendationGoal target) {
        return Recommendation.of(options(spec, market, spread), target);
    }

    /** Why there is no option. */
    public static NoCandidateReason whyNone(JobSpec spec, NodeCatalog market) {
        return CandidateGenerator.generate(problem(spec, market)).of(0).unfit();
    }

    private static Option option(
            JobSpec spec,
            double samples,
            NodeCatalog market,
            CandidateSet candidates,
            Candidate candidate,
            SpeedUncertainty spread) {
        return new Option(
                candidate.configuration(),
                candidate.goodput(),
                spread.of(candidate.configuration()),
                spec.restartPenaltySeconds(),
                samples / candidate.goodput(),
                market.pricePerHour(
                        candidate.configuration(),
                        candidates.hardware().classes().get(candidate.nodeClass())));
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
                ServiceHistory.arrived(0),
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
