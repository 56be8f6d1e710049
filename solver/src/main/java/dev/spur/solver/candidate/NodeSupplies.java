package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;

/** Slots of each node, idle and next to the running jobs, and the shapes that they hold. Thread-safe. */
final class NodeSupplies {
    private record Key(int nodeClass, NodeAccess access, HostDemand demand) {}

    private final ClusterIndex clusterIndex;
    private final int[] movable;
    private final int[] free;
    private final Map<Key, NodeSupply> knownSupplies = new ConcurrentHashMap<>();
    /** By class: nodes that differ in slots, CPUs or memory. */
    private final List<List<Node>> nodes;

    NodeSupplies(RoundProblem problem, ClusterIndex clusterIndex) {
        this.clusterIndex = clusterIndex;
        movable = clusterIndex.nodes().stream().mapToInt(node -> node.slots()).toArray();
        free = movable.clone();
        nodes = clusterIndex.classes().stream()
                .map(nodeClass -> different(nodeClass.nodes()))
                .toList();
        JobPins pins = JobPins.of(problem);
        Set<Device> held = new HashSet<>();
        Set<Device> pinned = new HashSet<>();
        for (Job job : problem.jobs()) {
            Allocation heldAllocation = job.allocation();
            boolean isWhole = job.spec().elasticity().deviceShare() == null;
            for (NodeShare share : heldAllocation == null ? List.<NodeShare>of() : heldAllocation.placement()) {
                int v = clusterIndex.indexOf(share.node());
                Device device = new Device(v, share.devices().get(0));
                if (isWhole || held.add(device)) {
                    free[v] -= share.slots();
                }
                if (pins.isPinned(job) && (isWhole || pinned.add(device))) {
                    movable[v] -= share.slots();
                }
            }
        }
    }

    /** Device of a node that jobs share. */
    private record Device(int node, String name) {}

    private List<Node> different(List<Integer> nodes) {
        Map<List<Double>, Node> different = new LinkedHashMap<>();
        for (int v : nodes) {
            Node node = clusterIndex.nodes().get(v);
            different.putIfAbsent(List.of((double) node.slots(), node.cpus(), node.memoryGiB()), node);
        }
        return List.copyOf(different.values());
    }

    /** Returns the slots of node {@code v} that pinned jobs do not hold; below 0 where these exceed the node. */
    int movable(int v) {
        return movable[v];
    }

    /** Returns {@code demand} if it limits the slots of some idle node of the class; otherwise no demand. */
    HostDemand limiting(NodeClass nodeClass, HostDemand demand) {
        return nodes.get(nodeClass.index()).stream().anyMatch(node -> demand.slotsOn(node) < node.slots())
                ? demand
                : HostDemand.NONE;
    }

    /** Returns the supply of the nodes of {@code access} for a job whose slots have {@code demand}. */
    NodeSupply of(NodeClass nodeClass, NodeAccess access, HostDemand demand) {
        return knownSupplies.computeIfAbsent(new Key(nodeClass.index(), access, demand), key -> {
            int[] nodes = nodeClass.nodes().stream()
                    .mapToInt(Integer::intValue)
                    .filter(access::contains)
                    .toArray();
            return new NodeSupply(
                    sizes(nodes, demand, v -> clusterIndex.nodes().get(v).slots()),
                    sizes(nodes, demand, v -> movable[v]),
                    sizes(nodes, demand, v -> free[v]));
        });
    }

    private NodeSizes sizes(int[] nodes, HostDemand demand, IntUnaryOperator slots) {
        int[] sizes = new int[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            sizes[i] = usable(nodes[i], slots.applyAsInt(nodes[i]), demand);
        }
        return NodeSizes.of(sizes);
    }

    private int usable(int v, int slots, HostDemand demand) {
        return slots <= 0 || demand.equals(HostDemand.NONE)
                ? Math.max(0, slots)
                : Math.min(slots, demand.slotsOn(clusterIndex.nodes().get(v)));
    }

    /** Returns the slots of the nodes of {@code access} that are free or that {@code heldAllocation} has. */
    NodeSizes freeFor(
            Allocation heldAllocation, NodeSupply supply, NodeClass nodeClass, NodeAccess access, HostDemand demand) {
        List<NodeShare> own = heldAllocation.placement().stream()
                .filter(share -> {
                    int v = clusterIndex.indexOf(share.node());
                    return clusterIndex.classOf(v) == nodeClass.index() && access.contains(v);
                })
                .toList();
        int[] before = new int[own.size()];
        int[] after = new int[own.size()];
        for (int i = 0; i < before.length; i++) {
            int v = clusterIndex.indexOf(own.get(i).node());
            before[i] = usable(v, free[v], demand);
            after[i] = usable(v, free[v] + own.get(i).slots(), demand);
        }
        return own.isEmpty() ? supply.freeSizes() : supply.freeSizes().with(before, after);
    }
}
