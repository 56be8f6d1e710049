package dev.spur.policies.tiresias;

import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.PlacementRule;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The walk through the queues, from the top: a job whose slots fit what is left runs, and the walk goes on. */
final class QueueScan {
    private QueueScan() {}

    /**
     * The order of the walk: by queue; there whoever runs first; then by rank; then by when the job entered the first
     * queue.
     *
     * @param rank rank inside a queue, the smallest first
     */
    static int[] order(RoundView snapshot, AttainedService attained, double[] rank) {
        int[] queue = IntStream.range(0, snapshot.jobs()).map(attained::queue).toArray();
        boolean[] waits = new boolean[queue.length];
        for (int j = 0; j < waits.length; j++) {
            waits[j] = snapshot.job(j).allocation() == null;
        }
        Comparator<Integer> order = (a, b) -> {
            int byQueue = Integer.compare(queue[a], queue[b]);
            int byState = byQueue == 0 ? Boolean.compare(waits[a], waits[b]) : byQueue;
            int byRank = byState == 0 ? Double.compare(rank[a], rank[b]) : byState;
            return byRank == 0 ? Double.compare(attained.entered(a), attained.entered(b)) : byRank;
        };
        return IntStream.of(JobOrders.byArrival(snapshot))
                .boxed()
                .sorted(order)
                .mapToInt(j -> j)
                .toArray();
    }

    /** Seats whoever the walk lets run; skewed jobs on the fewest nodes, the others on fragments. */
    static PlacementState seat(RoundView snapshot, int[] order) {
        SlotAllocations grants = new SlotAllocations(snapshot);
        for (int j : order) {
            if (grants.isFull()) {
                break;
            }
            grants.give(j, snapshot.requested(j));
        }
        PlacementState seating = new PlacementState(snapshot);
        seating.seat(grants, j -> rule(snapshot, j));
        seating.fill(order, j -> rule(snapshot, j));
        return seating;
    }

    private static PlacementRule rule(RoundView snapshot, int j) {
        return snapshot.job(j).spec().elasticity().consolidate()
                ? PlacementRules.FEWEST_NODES
                : PlacementRules.FRAGMENTS;
    }
}
