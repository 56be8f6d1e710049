package dev.spur.policies.support;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deals jobs to lanes, for policies that know one kind of slot: whoever runs stays in its lane; by arrival, each
 * waiting job goes where the fewest slots demanded so far, its own included, fall to a slot.
 */
public final class PartitionAssignment {
    private PartitionAssignment() {}

    /** The jobs of each lane by arrival, lane by lane; a job that runs in no lane is left out. */
    public static List<List<Integer>> byLane(RoundView snapshot) {
        int[] order = JobOrders.byArrival(snapshot);
        NodePartition[] laneOf = new NodePartition[snapshot.jobs()];
        double[] demanded = new double[snapshot.lanes().size()];
        for (int j : order) {
            NodePartition held = snapshot.heldLane(j);
            if (held != null && staysIn(snapshot, j, held)) {
                laneOf[j] = held;
                demanded[held.index()] += Math.max(snapshot.held(j), snapshot.requested(j));
            }
        }
        List<List<Integer>> dealt = new ArrayList<>();
        snapshot.lanes().forEach(lane -> dealt.add(new ArrayList<>()));
        for (int j : order) {
            NodePartition lane = laneOf[j] == null ? leastDemanded(snapshot, j, demanded) : laneOf[j];
            if (lane != null) {
                dealt.get(lane.index()).add(j);
            }
        }
        return dealt;
    }

    private static boolean staysIn(RoundView snapshot, int j, NodePartition held) {
        return snapshot.isPinned(j) || snapshot.lanesOf(j).contains(held) || snapshot.mayOnlyStay(j);
    }

    private static @Nullable NodePartition leastDemanded(RoundView snapshot, int j, double[] demanded) {
        int own = snapshot.requested(j);
        NodePartition best = null;
        double least = Double.POSITIVE_INFINITY;
        for (NodePartition lane : snapshot.lanesOf(j)) {
            double load = (demanded[lane.index()] + own) / lane.slots();
            if (load < least && snapshot.counts(j, lane).length > 0) {
                least = load;
                best = lane;
            }
        }
        if (best != null) {
            demanded[best.index()] += own;
        }
        return best;
    }
}
