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

    private record Resident(List<NodeSlots> nodeSlots, HostLevel level, HostLevel floorLevel) {
        boolean isOn(int node) {
            return nodeSlots.stream().anyMatch(slots -> slots.node() == node);
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

        void take(NodeSlots slots, HostLevel level, int sign) {
            cpus[slots.node()] -= sign * slots.slots() * level.cpusPerSlot();
            memory[slots.node()] -= sign * slots.slots() * level.memoryGiBPerSlot();
        }

        boolean lacksCpus(NodeSlots slots, HostLevel level) {
            return cpus[slots.node()] + TOLERANCE < slots.slots() * level.cpusPerSlot();
        }

        boolean lacksMemory(NodeSlots slots, HostLevel level) {
            return memory[slots.node()] + TOLERANCE < slots.slots() * level.memoryGiBPerSlot();
        }

        boolean holds(NodeSlots slots, HostLevel level) {
            return !lacksCpus(slots, level) && !lacksMemory(slots, level);
        }
    }

    private static final Comparator<Map.Entry<Integer, Resident>> FIRST_TO_GIVE = Comparator.comparingInt(
                    (Map.Entry<Integer, Resident> entry) ->
                            entry.getValue().nodeSlots().size())
            .thenComparingDouble(entry -> -entry.getValue().level().cpusPerSlot())
            .thenComparingDouble(entry -> -entry.getValue().level().memoryGiBPerSlot())
            .thenComparingInt(Map.Entry::getKey);

    private final Free freeNow;
    private final Free freeAtFloors;
    private final Map<Integer, Resident> residents = new TreeMap<>();

    ResidualHosts(List<Node> nodes) {
        freeNow = new Free(nodes);
        freeAtFloors = new Free(nodes);
    }

    /**
     * Returns true if {@code level} fits at {@code nodeSlots} now, and {@code floorLevel} fits there with all jobs at
     * their floors.
     */
    boolean fits(List<NodeSlots> nodeSlots, HostLevel level, HostLevel floorLevel) {
        return nodeSlots.stream().allMatch(slots -> freeNow.holds(slots, level)) && fitsAtFloors(nodeSlots, floorLevel);
    }

    /** Returns true if {@code floorLevel} fits at {@code nodeSlots} with all jobs at their floors. */
    boolean fitsAtFloors(List<NodeSlots> nodeSlots, HostLevel floorLevel) {
        return nodeSlots.stream().allMatch(slots -> freeAtFloors.holds(slots, floorLevel));
    }

    /** Returns the nodes, each with the number of slots for which {@link #fits} is true. */
    List<FreeNode> withRoom(List<FreeNode> nodes, HostLevel level, HostLevel floorLevel) {
        return limit(nodes, slots -> freeNow.holds(slots, level) && freeAtFloors.holds(slots, floorLevel));
    }

    /** Returns the nodes, each with the number of slots for which {@link #fitsAtFloors} is true. */
    List<FreeNode> withRoomAtFloors(List<FreeNode> nodes, HostLevel floorLevel) {
        return limit(nodes, slots -> freeAtFloors.holds(slots, floorLevel));
    }

    private interface Limit {
        boolean allows(NodeSlots slots);
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

    /** Adds job {@code j} at {@code nodeSlots} with {@code level}, which may later be reduced to {@code floorLevel}. */
    void add(int j, List<NodeSlots> nodeSlots, HostLevel level, HostLevel floorLevel) {
        residents.put(j, new Resident(List.copyOf(nodeSlots), level, floorLevel));
        nodeSlots.forEach(slots -> {
            freeNow.take(slots, level, 1);
            freeAtFloors.take(slots, floorLevel, 1);
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
        Map<Integer, NodeSlots> desiredSlots = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>();
        nodeSlots.forEach(slots -> {
            desiredSlots.put(slots.node(), slots);
            open.add(slots.node());
        });
        while (!open.isEmpty()) {
            int node = open.element();
            NodeSlots slots = desiredSlots.getOrDefault(node, new NodeSlots(node, 0));
            if (freeNow.holds(slots, level)) {
                open.remove();
            } else {
                open.addAll(reduceOne(job, slots, level));
            }
        }
    }

    /** Reduces the first job that holds a resource that {@code slots} lacks; returns its nodes. */
    private List<Integer> reduceOne(String job, NodeSlots slots, HostLevel level) {
        boolean lacksCpus = freeNow.lacksCpus(slots, level);
        boolean lacksMemory = freeNow.lacksMemory(slots, level);
        Map.Entry<Integer, Resident> giver = residents.entrySet().stream()
                .filter(entry -> entry.getValue().isOn(slots.node()))
                .filter(entry -> (lacksCpus && spare(entry.getValue(), true) > 0)
                        || (lacksMemory && spare(entry.getValue(), false) > 0))
                .min(FIRST_TO_GIVE)
                .orElseThrow(() -> new IllegalStateException(
                        "job %s: %d slots with %s do not fit on node %d, although all its jobs are at their floors"
                                .formatted(job, slots.slots(), level, slots.node())));
        Resident before = giver.getValue();
        before.nodeSlots().forEach(own -> {
            freeNow.take(own, before.level(), -1);
            freeNow.take(own, before.floorLevel(), 1);
        });
        giver.setValue(new Resident(before.nodeSlots(), before.floorLevel(), before.floorLevel()));
        return before.nodeSlots().stream().map(NodeSlots::node).toList();
    }

    private static double spare(Resident resident, boolean cpus) {
        return cpus
                ? resident.level().cpusPerSlot() - resident.floorLevel().cpusPerSlot()
                : resident.level().memoryGiBPerSlot() - resident.floorLevel().memoryGiBPerSlot();
    }
}
