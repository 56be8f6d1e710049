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
    public static List<Option> options(JobSpec spec, NodeCatalog catalog, SpeedUncertainty uncertainty) {
        return options(spec, spec.totalSamples(), catalog, uncertainty);
    }

    /** Returns the same with {@code samples} effective samples remaining. */
    public static List<Option> options(
            JobSpec spec, double samples, NodeCatalog catalog, SpeedUncertainty uncertainty) {
        CandidateSet candidates = CandidateGenerator.generate(problem(spec, catalog));
        return candidates.of(0).freshCandidates().stream()
                .map(candidate -> option(spec, samples, catalog, candidate, uncertainty))
                .toList();
    }

    /** Returns the best of these options for {@code goal}; empty if the job fits nowhere. */
    public static Optional<Recommendation> recommend(
            JobSpec spec, NodeCatalog catalog, SpeedUncertainty uncertainty, RecommendationGoal goal) {
        return Recommendation.of(options(spec, catalog, uncertainty), goal);
    }

    /** Returns the reason why there is no option. */
    public static NoCandidateReason whyNone(JobSpec spec, NodeCatalog catalog) {
        return CandidateGenerator.generate(problem(spec, catalog)).of(0).reason();
    }

    private static Option option(
            JobSpec spec, double samples, NodeCatalog catalog, Candidate candidate, SpeedUncertainty uncertainty) {
        return new Option(
                candidate.configuration(),
                candidate.goodput(),
                uncertainty.of(candidate.configuration()),
                spec.restartPenaltySeconds(),
                samples / candidate.goodput(),
                catalog.pricePerHour(candidate));
    }

    private static RoundProblem problem(JobSpec spec, NodeCatalog catalog) {
        List<String> pools =
                catalog.nodes().stream().map(node -> node.pool()).distinct().toList();
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
                catalog.types(),
                pools.stream().map(pool -> new Pool(pool, false)).toList(),
                catalog.nodes(),
                List.of(),
                List.of(new Tenant(TENANT, null, 1, Map.of())),
                List.of(),
                List.of(job),
                RoundMemory.EMPTY);
    }
}
