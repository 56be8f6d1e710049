package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.solver.candidate.ClusterIndex;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Choice of candidates with the placements known so far.
 *
 * @param choice the candidate of each job, -1 for waiting; not to be changed
 * @param nodes nodes of fresh candidates by index of the job, one per share of its shape, which hold them all together;
 *     an absent job is not placed yet
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PartialPlacement(int[] choice, Map<Integer, List<Integer>> nodes) {
    public PartialPlacement {
        nodes = Map.copyOf(nodes);
    }

    /** Returns the nodes of {@code allocation} in the order of its shape, which may differ from that of its ranks. */
    public static List<Integer> nodesOf(Allocation allocation, ClusterIndex clusterIndex) {
        return allocation.placement().stream()
                .sorted(Comparator.comparingInt(NodeShare::slots).reversed())
                .map(share -> clusterIndex.indexOf(share.node()))
                .toList();
    }

    /** Returns a choice in which only jobs that keep their allocation are placed. */
    public static PartialPlacement withoutPlaces(int[] choice) {
        return new PartialPlacement(choice, Map.of());
    }
}
