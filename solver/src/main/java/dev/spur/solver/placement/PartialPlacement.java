package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.solver.candidate.ClusterIndex;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Choice of candidates with the placements known so far.
 *
 * @param choice the candidate of each job, -1 for waiting; not to be changed
 * @param nodes nodes of fresh candidates by index of the job, one per share of its shape, which hold them all together;
 *     an absent job is not placed yet
 * @param devices shared devices of fresh candidates with known nodes, by index of the job: below 0, equal numbers on a
 *     node stand for one device; others are the number of the device on its node
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PartialPlacement(int[] choice, Map<Integer, List<Integer>> nodes, Map<Integer, Integer> devices) {
    public PartialPlacement {
        nodes = Map.copyOf(nodes);
        devices = Map.copyOf(devices);
    }

    /** Creates a placement in which shares take any devices of their nodes. */
    public PartialPlacement(int[] choice, Map<Integer, List<Integer>> nodes) {
        this(choice, nodes, Map.of());
    }

    /** Returns the number of the first device of {@code share} on its node; -1 if the node does not have it now. */
    public static int deviceOf(NodeShare share, ClusterIndex clusterIndex) {
        return clusterIndex
                .nodes()
                .get(clusterIndex.indexOf(share.node()))
                .devices()
                .indexOf(share.devices().get(0));
    }

    /** Returns this placement with those of {@code others} for jobs that are not placed. */
    public PartialPlacement with(PartialPlacement others) {
        Map<Integer, List<Integer>> allNodes = new HashMap<>(others.nodes);
        Map<Integer, Integer> allDevices = new HashMap<>(others.devices);
        allNodes.putAll(nodes);
        allDevices.putAll(devices);
        return new PartialPlacement(choice, allNodes, allDevices);
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
