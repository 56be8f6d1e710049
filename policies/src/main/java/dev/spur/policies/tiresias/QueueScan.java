package dev.spur.policies.tiresias;

import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.PlacementRule;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Scan of the queues, highest priority first: each job whose slots fit the remaining slots runs. */
final class QueueScan {
    private QueueScan() {}

    /**
     * Returns the scan order: by queue; within a queue running jobs first, then by rank, then by the time at which the
     * job entered the first queue.
     *
     * @param rank rank inside a queue, ascending
     */
    static int[] order(RoundView view, AttainedService attained, double[] rank) {
        int[] queue = IntStream.range(0, view.jobs()).map(attained::queue).toArray();
        boolean[] waits = new boolean[queue.length];
        for (int j = 0; j < waits.length; j++) {
            waits[j] = view.job(j).allocation() == null;
        }
        Comparator<Integer> order = (a, b) -> {
            int byQueue = Integer.compare(queue[a], queue[b]);
            int byState = byQueue == 0 ? Boolean.compare(waits[a], waits[b]) : byQueue;
            int byRank = byState == 0 ? Double.compare(rank[a], rank[b]) : byState;
            return byRank == 0 ? Double.compare(attained.entryTime(a), attained.entryTime(b)) : byRank;
        };
        return IntStream.of(JobOrders.byArrival(view))
                .boxed()
                .sorted(order)
                .mapToInt(j -> j)
                .toArray();
    }

    /** Places the jobs selected by the scan: skewed jobs on as few nodes as possible, the others on fragments. */
    static PlacementState place(RoundView view, int[] order) {
        SlotAllocations allocations = new SlotAllocations(view);
        for (int j : order) {
            if (allocations.isFull()) {
                break;
            }
            allocations.grant(j, view.requestedSlots(j));
        }
        PlacementState placement = new PlacementState(view);
        placement.placeAll(allocations, j -> rule(view, j));
        placement.fill(order, j -> rule(view, j));
        return placement;
    }

    private static PlacementRule rule(RoundView view, int j) {
        return view.job(j).spec().elasticity().consolidate() ? PlacementRules.MIN_NODES : PlacementRules.FRAGMENTS;
    }
}
