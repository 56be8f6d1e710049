package dev.spur.policies.support;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assignment of jobs to partitions, for policies that support one kind of slot. Running jobs stay in their partition.
 * Each waiting job, by arrival, goes to the partition with the lowest ratio of demanded slots, its own included, to
 * available slots.
 */
public final class PartitionAssignment {
    private PartitionAssignment() {}

    /** Returns the jobs of each partition by arrival; a job that runs in no partition is omitted. */
    public static List<List<Integer>> byPartition(RoundView view) {
        int[] order = JobOrders.byArrival(view);
        NodePartition[] partitionOf = new NodePartition[view.jobs()];
        double[] demanded = new double[view.partitions().size()];
        for (int j : order) {
            NodePartition partition = view.heldPartition(j);
            if (partition != null && staysIn(view, j, partition)) {
                partitionOf[j] = partition;
                demanded[partition.index()] += Math.max(view.heldSlots(j), view.requestedSlots(j));
            }
        }
        List<List<Integer>> assigned = new ArrayList<>();
        view.partitions().forEach(partition -> assigned.add(new ArrayList<>()));
        for (int j : order) {
            NodePartition partition = partitionOf[j] == null ? leastDemanded(view, j, demanded) : partitionOf[j];
            if (partition != null) {
                assigned.get(partition.index()).add(j);
            }
        }
        return assigned;
    }

    private static boolean staysIn(RoundView view, int j, NodePartition partition) {
        return view.isPinned(j) || view.partitionsOf(j).contains(partition) || view.mayOnlyStay(j);
    }

    private static @Nullable NodePartition leastDemanded(RoundView view, int j, double[] demanded) {
        int own = view.requestedSlots(j);
        NodePartition best = null;
        double min = Double.POSITIVE_INFINITY;
        for (NodePartition partition : view.partitionsOf(j)) {
            double load = (demanded[partition.index()] + own) / partition.slots();
            if (load < min && view.counts(j, partition).length > 0) {
                min = load;
                best = partition;
            }
        }
        if (best != null) {
            demanded[best.index()] += own;
        }
        return best;
    }
}
