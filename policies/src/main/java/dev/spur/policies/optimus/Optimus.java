package dev.spur.policies.optimus;

import dev.spur.model.job.Synchronization;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Optimus. By arrival each job gets its minimum slots and, where it needs parameter servers, its minimum aggregation
 * slots. Then the job with the highest gain gets one step more of either.
 *
 * <pre>
 * gain = (remaining time now - remaining time with one step more) / fraction used by the step
 * fraction = that of the partition's slots, or of the pool's aggregation slots
 * </pre>
 *
 * <p>Source: Peng et al., EuroSys '18. Certain. Difference: a job whose step does not fit is skipped, whereas it ends
 * the loop there. Speeds are those of the profile; this policy does not fit them.
 */
public final class Optimus implements Policy {
    @Override
    public String name() {
        return "optimus";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        AggregationLedger aggregation = new AggregationLedger(view);
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            List<Integer> jobs = new ArrayList<>(assigned.get(partition.index()).stream()
                    .filter(allocations::isOpen)
                    .toList());
            jobs.removeIf(j -> !begin(allocations, aggregation, partition, j));
            new Race(allocations, aggregation, partition).run(jobs);
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }

    private static boolean begin(
            SlotAllocations allocations, AggregationLedger aggregation, NodePartition partition, int j) {
        double servers = minAggregationSlots(allocations.view(), j);
        int minimum = allocations.view().next(j, partition, 0);
        if (aggregation.free(partition) < servers || !allocations.grant(j, partition, minimum)) {
            return false;
        }
        aggregation.take(partition, servers);
        allocations.setAggregation(j, servers);
        return true;
    }

    /** Returns one aggregation slot, within the limits of a job that may not use AllReduce; 0 for other jobs. */
    private static double minAggregationSlots(RoundView view, int j) {
        Synchronization allowed = view.job(j).spec().synchronization();
        return allowed.allReduce()
                ? 0
                : Math.min(allowed.maxAggregationSlots(), Math.max(1, allowed.minAggregationSlots()));
    }

    /** The steps after the minimum grants. */
    private record Race(SlotAllocations allocations, AggregationLedger aggregation, NodePartition partition) {
        /** A step of a job: more slots or more aggregation slots. */
        private record Step(int job, int slots, double aggregation, double gain) {}

        void run(List<Integer> jobs) {
            List<Step> steps = new ArrayList<>();
            jobs.forEach(j -> steps.add(best(j)));
            Comparator<Step> byGain = Comparator.comparingDouble(Step::gain).reversed();
            Comparator<Integer> ties = JobOrders.ties(allocations.view());
            PriorityQueue<Step> queue = new PriorityQueue<>(byGain.thenComparing(Step::job, ties));
            queue.addAll(steps);
            while (!queue.isEmpty()) {
                Step step = queue.remove();
                if (step.gain() > 0 && take(step)) {
                    queue.add(best(step.job()));
                }
            }
        }

        private boolean take(Step step) {
            double more = step.aggregation() - allocations.aggregation(step.job());
            if (more > 0) {
                if (aggregation.free(partition) < more) {
                    return false;
                }
                aggregation.take(partition, more);
                allocations.setAggregation(step.job(), step.aggregation());
                return true;
            }
            return allocations.resize(step.job(), step.slots());
        }

        private Step best(int j) {
            RoundView view = allocations.view();
            double servers = allocations.aggregation(j);
            int slots = allocations.slots(j);
            double now = seconds(j, slots, servers);
            Step best = new Step(j, slots, servers, 0);
            int next = view.next(j, partition, slots);
            if (next > 0) {
                double part = (double) (next - slots) / partition.slots();
                best = new Step(j, next, servers, (now - seconds(j, next, servers)) / part);
            }
            double max = view.job(j).spec().synchronization().maxAggregationSlots();
            if (servers > 0 && servers + 1 <= max && aggregation.all(partition) > 0) {
                double gain = (now - seconds(j, slots, servers + 1)) * aggregation.all(partition);
                best = gain > best.gain() ? new Step(j, slots, servers + 1, gain) : best;
            }
            return best;
        }

        private double seconds(int j, int slots, double servers) {
            double goodput = allocations.view().servedGoodput(j, partition, slots, servers);
            // an infeasible shape must not win: longer than any other
            return goodput == 0 ? Double.MAX_VALUE : allocations.view().job(j).remainingSamples() / goodput;
        }
    }
}
