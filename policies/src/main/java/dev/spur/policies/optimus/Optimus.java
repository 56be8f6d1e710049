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
 * Optimus. By arrival each job gets its fewest slots and, where it needs parameter servers, its fewest aggregation
 * slots; then the highest gain gets one step more of either.
 *
 * <pre>
 * gain = (remaining time now - remaining time with one step more) / part of the lane's slots, or of the pool's aggregation slots,
 *        that the step takes
 * </pre>
 *
 * <p>Source: Peng et al., EuroSys '18. Certain. A job whose step does not fit leaves the race here, which ends it
 * there. Speeds are those of the profile: fitting them is the business of whoever makes profiles.
 */
public final class Optimus implements Policy {
    @Override
    public String name() {
        return "optimus";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        AggregationLedger aggregation = new AggregationLedger(snapshot);
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            List<Integer> jobs = new ArrayList<>(
                    dealt.get(lane.index()).stream().filter(grants::isOpen).toList());
            jobs.removeIf(j -> !begin(grants, aggregation, lane, j));
            new Race(grants, aggregation, lane).run(jobs);
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }

    private static boolean begin(SlotAllocations grants, AggregationLedger aggregation, NodePartition lane, int j) {
        double servers = fewestAggregationSlots(grants.snapshot(), j);
        int fewest = grants.snapshot().next(j, lane, 0);
        if (aggregation.free(lane) < servers || !grants.give(j, lane, fewest)) {
            return false;
        }
        aggregation.take(lane, servers);
        grants.serve(j, servers);
        return true;
    }

    /** One aggregation slot within the limits of a job that may not use AllReduce; 0 for others. */
    private static double fewestAggregationSlots(RoundView snapshot, int j) {
        Synchronization allowed = snapshot.job(j).spec().synchronization();
        return allowed.allReduce()
                ? 0
                : Math.min(allowed.maxAggregationSlots(), Math.max(1, allowed.minAggregationSlots()));
    }

    /** The steps after the first. */
    private record Race(SlotAllocations grants, AggregationLedger aggregation, NodePartition lane) {
        /** A step for a job: more slots, or more aggregation slots. */
        private record Step(int job, int slots, double aggregation, double gain) {}

        void run(List<Integer> jobs) {
            List<Step> steps = new ArrayList<>();
            jobs.forEach(j -> steps.add(best(j)));
            Comparator<Step> byGain = Comparator.comparingDouble(Step::gain).reversed();
            Comparator<Integer> ties = JobOrders.ties(grants.snapshot());
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
            double more = step.aggregation() - grants.aggregation(step.job());
            if (more > 0) {
                if (aggregation.free(lane) < more) {
                    return false;
                }
                aggregation.take(lane, more);
                grants.serve(step.job(), step.aggregation());
                return true;
            }
            return grants.resize(step.job(), step.slots());
        }

        private Step best(int j) {
            RoundView snapshot = grants.snapshot();
            double servers = grants.aggregation(j);
            int slots = grants.slots(j);
            double now = seconds(j, slots, servers);
            Step best = new Step(j, slots, servers, 0);
            int next = snapshot.next(j, lane, slots);
            if (next > 0) {
                double part = (double) (next - slots) / lane.slots();
                best = new Step(j, next, servers, (now - seconds(j, next, servers)) / part);
            }
            double most = snapshot.job(j).spec().synchronization().maxAggregationSlots();
            if (servers > 0 && servers + 1 <= most && aggregation.all(lane) > 0) {
                double gain = (now - seconds(j, slots, servers + 1)) * aggregation.all(lane);
                best = gain > best.gain() ? new Step(j, slots, servers + 1, gain) : best;
            }
            return best;
        }

        private double seconds(int j, int slots, double servers) {
            double goodput = grants.snapshot().servedGoodput(j, lane, slots, servers);
            // a shape in which it does not run must not win: longer than any other
            return goodput == 0 ? Double.MAX_VALUE : grants.snapshot().job(j).remainingSamples() / goodput;
        }
    }
}
