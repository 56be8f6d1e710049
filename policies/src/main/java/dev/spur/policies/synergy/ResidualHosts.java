package dev.spur.policies.synergy;

import dev.spur.model.cluster.Node;
import dev.spur.model.performance.HostLevel;
import dev.spur.policies.support.NodeSlots;
import dev.spur.policies.support.PlacementRule.FreeNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Free host resources while jobs are placed: actual, and with all jobs at their floors. A job is placed only if its
 * floor fits with all others at their floors, so that reduction always suffices.
 */
final class ResidualHosts {
    /**
     * Tolerance in cores and GiB: below that of the plan validator, above the rounding error of floating-point sums.
     */
    private static final double TOLERANCE = 1e-7;

    private record Resident(List<NodeSlots> nodeSlots, HostLevel level, HostLevel floor) {
        boolean isOn(int node) {
            return nodeSlots.stream().anyMatch(spot -> spot.node() == node);
        }
    }

    /** Free CPUs and memory by node. */
    private static final class Free {
        private final double[] cpus;
        private final double[] memory;

        Free(List<Node> nodes) {
            cpus = nodes.stream().mapToDouble(Node::cpus).toArray();
            memory = nodes.stream().mapToDouble(Node::memoryGiB).toArray();
        }

        void take(NodeSlots spot, HostLevel level, int sign) {
            cpus[spot.node()] -= sign * spot.slots() * level.cpusPerSlot();
            memory[spot.node()] -= sign * spot.slots() * level.memoryGiBPerSlot();
        }

        boolean lacksCpus(NodeSlots spot, HostLevel level) {
            return cpus[spot.node()] + TOLERANCE < spot.slots() * level.cpusPerSlot();
        }

        boolean lacksMemory(NodeSlots spot, HostLevel level) {
            return memory[spot.node()] + TOLERANCE < spot.slots() * level.memoryGiBPerSlot();
        }

        boolean holds(NodeSlots spot, HostLevel level) {
            return !lacksCpus(spot, level) && !lacksMemory(spot, level);
        }
    }

    private static final Comparator<Map.Entry<Integer, Resident>> FIRST_TO_GIVE = Comparator.comparingInt(
                    (Map.Entry<Integer, Resident> entry) ->
                            entry.getValue().nodeSlots().size())
            .thenComparingDouble(entry -> -entry.getValue().level().cpusPerSlot())
            .thenComparingDouble(entry -> -entry.getValue().level().memoryGiBPerSlot())
            .thenComparingInt(Map.Entry::getKey);

    private final Free now;
    private final Free atFloors;
    private final Map<Integer, Resident> residents = new TreeMap<>();

    ResidualHosts(List<Node> nodes) {
        now = new Free(nodes);
        atFloors = new Free(nodes);
    }

    /**
     * Returns true if {@code level} fits at {@code nodeSlots} now, and {@code floor} fits there with all jobs at their
     * floors.
     */
    boolean fits(List<NodeSlots> nodeSlots, HostLevel level, HostLevel floor) {
        return nodeSlots.stream().allMatch(spot -> now.holds(spot, level)) && fitsAtFloors(nodeSlots, floor);
    }

    /** Returns true if {@code floor} fits at {@code nodeSlots} with all jobs at their floors. */
    boolean fitsAtFloors(List<NodeSlots> nodeSlots, HostLevel floor) {
        return nodeSlots.stream().allMatch(spot -> atFloors.holds(spot, floor));
    }

    /** Returns the nodes, each with the number of slots for which {@link #fits} is true. */
    List<FreeNode> withRoom(List<FreeNode> nodes, HostLevel level, HostLevel floor) {
        return limit(nodes, spot -> now.holds(spot, level) && atFloors.holds(spot, floor));
    }

    /** Returns the nodes, each with the number of slots for which {@link #fitsAtFloors} is true. */
    List<FreeNode> withRoomAtFloors(List<FreeNode> nodes, HostLevel floor) {
        return limit(nodes, spot -> atFloors.holds(spot, floor));
    }

    private interface Limit {
        boolean allows(NodeSlots spot);
    }

    private static List<FreeNode> limit(List<FreeNode> nodes, Limit limit) {
        List<FreeNode> left = new ArrayList<>();
        for (FreeNode node : nodes) {
            int usable = node.free();
            while (usable > 0 && !limit.allows(new NodeSlots(node.node(), usable))) {
                usable--;
            }
            if (usable > 0) {
                left.add(new FreeNode(node.node(), usable, node.slots()));
            }
        }
        return left;
    }

    /** Returns the level of job {@code j}; empty if it is not placed. */
    Optional<HostLevel> level(int j) {
        return Optional.ofNullable(residents.get(j)).map(Resident::level);
    }

    /** Adds job {@code j} at {@code nodeSlots} with {@code level}, which may later be reduced to {@code floor}. */
    void add(int j, List<NodeSlots> nodeSlots, HostLevel level, HostLevel floor) {
        residents.put(j, new Resident(List.copyOf(nodeSlots), level, floor));
        nodeSlots.forEach(spot -> {
            now.take(spot, level, 1);
            atFloors.take(spot, floor, 1);
        });
    }

    /**
     * Reduces jobs to their floors until {@code level} is free at {@code nodeSlots}. Jobs on the smallest number of
     * nodes go first, then those with the most CPUs per slot, then those with the most memory. A job reduced for its
     * CPUs may need more memory at its floor, and vice versa; the loop then frees that in turn.
     *
     * @throws IllegalStateException if every job there is at its floor, so that the job should not have been placed
     */
    void reduceToFloors(String job, List<NodeSlots> nodeSlots, HostLevel level) {
        Map<Integer, NodeSlots> desired = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>();
        nodeSlots.forEach(spot -> {
            desired.put(spot.node(), spot);
            open.add(spot.node());
        });
        while (!open.isEmpty()) {
            int node = open.element();
            NodeSlots spot = desired.getOrDefault(node, new NodeSlots(node, 0));
            if (now.holds(spot, level)) {
                open.remove();
            } else {
                open.addAll(reduceOne(job, spot, level));
            }
        }
    }

    /** Reduces the first job that holds a resource that {@code spot} lacks; returns its nodes. */
    private List<Integer> reduceOne(String job, NodeSlots spot, HostLevel level) {
        boolean lacksCpus = now.lacksCpus(spot, level);
        boolean lacksMemory = now.lacksMemory(spot, level);
        Map.Entry<Integer, Resident> giver = residents.entrySet().stream()
                .filter(entry -> entry.getValue().isOn(spot.node()))
                .filter(entry -> (lacksCpus && spare(entry.getValue(), true) > 0)
                        || (lacksMemory && spare(entry.getValue(), false) > 0))
                .min(FIRST_TO_GIVE)
                .orElseThrow(() -> new IllegalStateException(
                        "job %s: %d slots with %s do not fit on node %d, although all its jobs are at their floors"
                                .formatted(job, spot.slots(), level, spot.node())));
        Resident before = giver.getValue();
        before.nodeSlots().forEach(own -> {
            now.take(own, before.level(), -1);
            now.take(own, before.floor(), 1);
        });
        giver.setValue(new Resident(before.nodeSlots(), before.floor(), before.floor()));
        return before.nodeSlots().stream().map(NodeSlots::node).toList();
    }

    private static double spare(Resident resident, boolean cpus) {
        return cpus
                ? resident.level().cpusPerSlot() - resident.floor().cpusPerSlot()
                : resident.level().memoryGiBPerSlot() - resident.floor().memoryGiBPerSlot();
    }
}
