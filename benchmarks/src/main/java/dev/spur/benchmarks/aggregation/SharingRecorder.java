package dev.spur.benchmarks.aggregation;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.aggregation.ExpectedAggregationLoad;
import dev.spur.solver.aggregation.RemediedLayout;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Policy that records the aggregators and the batch sizes of its decisions. */
final class SharingRecorder implements Policy {
    private final Policy policy;
    private AggregationLayout layout = AggregationLayout.NONE;
    private int rounds;
    private int roundsWithOtherBatch;
    private int overloadedRounds;
    private int remediedRounds;
    private double cpus;
    private int runs;
    private int sharingRuns;
    private double stalls;

    /** @param policy makes the decisions */
    SharingRecorder(Policy policy) {
        this.policy = policy;
    }

    /**
     * Means over the rounds of a replay.
     *
     * @param cpus CPUs of aggregators in use
     * @param sharingPercent jobs that may share their aggregators, percent of the running ones
     * @param otherBatchPercent rounds in which some job has another batch size than the one with the maximum goodput of
     *     its shape, percent
     * @param stallPercent expected stall fraction of the jobs that may share, percent
     * @param overloadedPercent rounds in which some job fits on no shared aggregators within the limits and has no
     *     aggregators of its own, percent
     * @param remediedPercent rounds in which some job that fits on no shared aggregators gets its own, percent
     */
    record Means(
            double cpus,
            double sharingPercent,
            double otherBatchPercent,
            double stallPercent,
            double overloadedPercent,
            double remediedPercent) {}

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Decision decide(RoundProblem problem) {
        Decision decision = policy.decide(problem);
        record(problem, decision.plan(), decision.allocations());
        return decision;
    }

    private void record(RoundProblem problem, @Nullable RoundPlan plan, Map<String, Allocation> allocations) {
        AggregationSettings settings = problem.settings().aggregation();
        Map<String, NodeCpus> byNode = new HashMap<>();
        boolean hasOtherBatch = false;
        for (Job job : problem.jobs()) {
            Allocation allocation = allocations.get(job.id());
            if (allocation == null) {
                continue;
            }
            AggregatorDemand demand = AggregatorDemand.of(job.spec(), allocation.configuration(), settings);
            for (AggregationShare share : allocation.aggregation()) {
                byNode.computeIfAbsent(share.node(), node -> new NodeCpus()).add(share.slots(), demand);
            }
            runs++;
            sharingRuns += demand.shares() ? 1 : 0;
            hasOtherBatch |= !hasBestBatch(job.spec(), allocation.configuration());
        }
        RemediedLayout remediedLayout = RemediedLayout.of(problem, plan, allocations, layout);
        layout = remediedLayout.layout();
        for (double stall : new ExpectedAggregationLoad(remediedLayout.problem())
                .losses(layout, allocations)
                .values()) {
            stalls += stall;
        }
        rounds++;
        roundsWithOtherBatch += hasOtherBatch ? 1 : 0;
        overloadedRounds += layout.overloadedPools().isEmpty() ? 0 : 1;
        boolean isRemedied =
                remediedLayout.remedies().stream().anyMatch(remedy -> remedy.kind() == AggregationRemedy.Kind.OWN_CPUS);
        remediedRounds += isRemedied ? 1 : 0;
        cpus += byNode.values().stream().mapToDouble(NodeCpus::sum).sum();
    }

    private static boolean hasBestBatch(JobSpec spec, Configuration configuration) {
        Goodput.Best best = Goodput.best(
                spec,
                configuration.acceleratorType(),
                configuration.slots(),
                configuration.nodes(),
                configuration.strategy(),
                configuration.aggregationSlots());
        return best != null && best.batch() == configuration.batchSize();
    }

    Means means() {
        return new Means(
                cpus / Math.max(1, rounds),
                100.0 * sharingRuns / Math.max(1, runs),
                100.0 * roundsWithOtherBatch / Math.max(1, rounds),
                100 * stalls / Math.max(1, sharingRuns),
                100.0 * overloadedRounds / Math.max(1, rounds),
                100.0 * remediedRounds / Math.max(1, rounds));
    }

    /**
     * CPUs of the aggregators of a node: those of jobs that do not share, plus the larger one of what sharing jobs add
     * and the largest share of one of them.
     */
    private static final class NodeCpus {
        private double dedicated;
        private double shared;
        private double widest;

        void add(double slots, AggregatorDemand demand) {
            if (demand.shares()) {
                shared += slots * demand.cpus() / demand.slots();
                widest = Math.max(widest, slots);
            } else {
                dedicated += slots;
            }
        }

        double sum() {
            return dedicated + Math.max(shared, widest);
        }
    }
}
