package dev.spur.service.executors;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.model.utility.Goodput;
import dev.spur.model.validation.PlanCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts jobs where a test wants them; the others wait. */
public final class FixedPolicy implements Function<RoundProblem, RoundPlan> {
    private final Map<String, List<NodeShare>> places = new HashMap<>();
    private final Map<String, List<AggregationShare>> shares = new HashMap<>();
    private final Map<String, Integer> batches = new HashMap<>();
    private final Map<String, HostGrant> grants = new HashMap<>();
    private final Map<String, JobSpec> planned = new HashMap<>();

    /** Puts a job onto these pieces from the next round on; without any it waits. */
    public void put(String job, NodeShare... pieces) {
        places.put(job, List.of(pieces));
    }

    /** Has a job use parameter servers from the next round on, with aggregation slots there. */
    void serve(String job, AggregationShare... where) {
        shares.put(job, List.of(where));
    }

    /** Gives a running job another batch size from the next round on. */
    public void batch(String job, int samples) {
        batches.put(job, samples);
    }

    /** Grants a running job this part of its hosts from the next round on. */
    void grant(String job, HostGrant granted) {
        grants.put(job, granted);
    }

    /** What the last round with a job knew of it. */
    JobSpec specOf(String job) {
        return Objects.requireNonNull(planned.get(job));
    }

    /** Where a job was put. */
    NodeShare[] placeOf(String job) {
        return places.getOrDefault(job, List.of()).toArray(NodeShare[]::new);
    }

    @Override
    public RoundPlan apply(RoundProblem problem) {
        List<PlannedJob> running = new ArrayList<>();
        List<PendingJob> waiting = new ArrayList<>();
        for (Job job : problem.jobs()) {
            planned.put(job.id(), job.spec());
            List<NodeShare> pieces = places.getOrDefault(job.id(), List.of());
            if (pieces.isEmpty()) {
                waiting.add(new PendingJob(
                        job.id(), PendingReason.CAPACITY, null, null, null, waiting.size() + 1, "It waits."));
            } else {
                running.add(planned(problem, job, pieces));
            }
        }
        double utility = PlanCheck.objectiveValue(problem, running);
        return new RoundPlan(
                running,
                waiting,
                Map.of(),
                SolutionQuality.of(SolveStatus.WORK_LIMIT, utility, utility + 1, 0),
                new SolverStats(problem.jobs().size(), 0, 0, 0, List.of(), Map.of(), List.of(), List.of()),
                problem.memory());
    }

    private PlannedJob planned(RoundProblem problem, Job job, List<NodeShare> pieces) {
        List<AggregationShare> shares = this.shares.getOrDefault(job.id(), List.of());
        Allocation held = job.allocation();
        boolean same = held != null
                && held.placement().equals(pieces)
                && held.aggregation().equals(shares);
        List<Integer> shape = pieces.stream().map(NodeShare::slots).toList();
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        BatchLimits limits = job.spec().batch();
        var configuration = new Configuration(
                "main",
                "A100",
                shape,
                shares.isEmpty() ? SyncStrategy.ALL_REDUCE : SyncStrategy.PARAMETER_SERVER,
                shares.stream().mapToDouble(AggregationShare::slots).sum(),
                limits.atLeast(limits.initial(), "A100", slots).orElse(limits.initial()),
                0);
        Allocation given = same
                ? held.withConfiguration(withBatch(job, held.configuration()))
                : new Allocation(configuration, pieces, shares, problem.now());
        ChangeKind change = change(held, given);
        var bare = new PlannedJob(job.id(), given, change, 0, 0, "It was put there.");
        double goodput = Goodput.of(job.spec(), given.configuration());
        double utility = PlanCheck.objectiveValue(problem, List.of(bare));
        return new PlannedJob(job.id(), given, change, goodput, utility, bare.message());
    }

    private Configuration withBatch(Job job, Configuration held) {
        return held.withBatch(batches.getOrDefault(job.id(), held.batchSize()), held.accumulationSteps())
                .withHost(grants.getOrDefault(job.id(), held.host()));
    }

    private static ChangeKind change(@Nullable Allocation held, Allocation given) {
        if (held == null) {
            return ChangeKind.START;
        }
        int before = held.configuration().slots();
        int after = given.configuration().slots();
        if (given.sameRunAs(held)) {
            return ChangeKind.KEEP;
        }
        if (given.placement().equals(held.placement())) {
            return ChangeKind.RECONFIGURE;
        }
        return after > before ? ChangeKind.GROW : after < before ? ChangeKind.SHRINK : ChangeKind.MOVE;
    }
}
