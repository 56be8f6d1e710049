package dev.spur.solver.aggregation;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.aggregation.AggregationRemedy.Kind;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A layout of aggregators, with remedies for the jobs that fit on no shared ones. A job gets aggregators of its own
 * where the plan, with its whole slots counted, is still valid. Otherwise the next round plans it with AllReduce.
 *
 * @param problem problem of the layout: the gradient bytes of jobs with aggregators of their own are unknown
 * @param remedies remedies of this round, by job
 */
public record RemediedLayout(RoundProblem problem, AggregationLayout layout, List<AggregationRemedy> remedies) {
    /** Maximum number of jobs of a round for which aggregators of their own are tried. */
    private static final int MAX_TRIALS = 8;

    /**
     * Computes the layout of {@code runningAllocations}.
     *
     * @param plan plan with these allocations; null if it is not known, so that no job gets aggregators of its own
     * @param previousLayout present places of the shards
     */
    public static RemediedLayout of(
            RoundProblem problem,
            @Nullable RoundPlan plan,
            Map<String, Allocation> runningAllocations,
            AggregationLayout previousLayout) {
        RoundProblem remediedProblem = problem;
        AggregationLayout layout = AggregatorPlanner.plan(problem, runningAllocations, previousLayout);
        Map<String, Kind> kinds = new TreeMap<>();
        for (Optional<String> id = next(layout, kinds); id.isPresent(); id = next(layout, kinds)) {
            RoundProblem other = withoutSharing(remediedProblem, id.get());
            boolean isTried = kinds.size() < MAX_TRIALS;
            if (plan != null && isTried && PlanCheck.violations(other, plan).isEmpty()) {
                kinds.put(id.get(), Kind.OWN_CPUS);
                remediedProblem = other;
                layout = AggregatorPlanner.plan(remediedProblem, runningAllocations, previousLayout);
            } else {
                kinds.put(id.get(), mayUseAllReduce(problem, id.get()) ? Kind.ALL_REDUCE : Kind.NONE);
            }
        }
        AggregationLayout lastLayout = layout;
        kinds.entrySet()
                .removeIf(kind -> kind.getValue() != Kind.OWN_CPUS
                        && !lastLayout.unfitJobs().contains(kind.getKey()));
        return new RemediedLayout(
                remediedProblem,
                layout,
                kinds.entrySet().stream()
                        .map(kind -> new AggregationRemedy(kind.getKey(), kind.getValue()))
                        .toList());
    }

    private static Optional<String> next(AggregationLayout layout, Map<String, Kind> kinds) {
        return new TreeSet<>(layout.unfitJobs())
                .stream().filter(id -> !kinds.containsKey(id)).findFirst();
    }

    private static boolean mayUseAllReduce(RoundProblem problem, String id) {
        return problem.jobs().stream()
                .anyMatch(job ->
                        job.id().equals(id) && job.spec().synchronization().allReduce());
    }

    private static RoundProblem withoutSharing(RoundProblem problem, String id) {
        return problem.withJobs(problem.jobs().stream()
                .map(job -> job.id().equals(id) ? withoutSharing(job) : job)
                .toList());
    }

    private static Job withoutSharing(Job job) {
        return job.withSpec(job.spec()
                .edit()
                .synchronization(job.spec().synchronization().withoutSharing())
                .build());
    }
}
