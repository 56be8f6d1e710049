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
 * What is left of the hosts while jobs come onto them: as they are, and as they would be if everybody had no more than
 * its floor. Nobody comes for whom there would be no room at floors, so that room can always be made.
 */
final class ResidualHosts {
    /** Below what the judge tolerates, above what sums of floating point lose. */
    private static final double TOLERANCE = 1e-7;

    private record Resident(List<NodeSlots> spots, HostLevel level, HostLevel floor) {
        boolean isOn(int node) {
            return spots.stream().anyMatch(spot -> spot.node() == node);
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
                            entry.getValue().spots().size())
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

    /** True if a job would find {@code level} at {@code spots}, and its floor too if everybody had his. */
    boolean hold(List<NodeSlots> spots, HostLevel level, HostLevel floor) {
        return spots.stream().allMatch(spot -> now.holds(spot, level)) && couldHold(spots, floor);
    }

    /** True if a job would find its floor at {@code spots} if everybody had no more than his. */
    boolean couldHold(List<NodeSlots> spots, HostLevel floor) {
        return spots.stream().allMatch(spot -> atFloors.holds(spot, floor));
    }

    /** The nodes, with as many slots each as {@link #hold}. */
    List<FreeNode> holding(List<FreeNode> nodes, HostLevel level, HostLevel floor) {
        return limited(nodes, spot -> now.holds(spot, level) && atFloors.holds(spot, floor));
    }

    /** The nodes, with as many slots each as {@link #couldHold}. */
    List<FreeNode> onceAllGive(List<FreeNode> nodes, HostLevel floor) {
        return limited(nodes, spot -> atFloors.holds(spot, floor));
    }

    private interface Limit {
        boolean allows(NodeSlots spot);
    }

    private static List<FreeNode> limited(List<FreeNode> nodes, Limit limit) {
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

    /** What job {@code j} has; empty if it is on no node. */
    Optional<HostLevel> level(int j) {
        return Optional.ofNullable(residents.get(j)).map(Resident::level);
    }

    /** Lets job {@code j} onto {@code spots} with {@code level}, to be cut to {@code floor} when others need it. */
    void enter(int j, List<NodeSlots> spots, HostLevel level, HostLevel floor) {
        residents.put(j, new Resident(List.copyOf(spots), level, floor));
        spots.forEach(spot -> {
            now.take(spot, level, 1);
            atFloors.take(spot, floor, 1);
        });
    }

    /**
     * Cuts residents to their floors until {@code level} is free at {@code spots}: those on the fewest nodes first,
     * then those with the most CPUs a slot, then those with the most memory. Whoever gives CPUs may need more memory
     * for that, and the other way round; that is made room for in turn.
     *
     * @throws IllegalStateException if nobody there has anything to give, which says that a job came for whom there was
     *     no room
     */
    void makeRoom(String job, List<NodeSlots> spots, HostLevel level) {
        Map<Integer, NodeSlots> wanted = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>();
        spots.forEach(spot -> {
            wanted.put(spot.node(), spot);
            open.add(spot.node());
        });
        while (!open.isEmpty()) {
            int node = open.element();
            NodeSlots spot = wanted.getOrDefault(node, new NodeSlots(node, 0));
            if (now.holds(spot, level)) {
                open.remove();
            } else {
                open.addAll(give(job, spot, level));
            }
        }
    }

    /** Cuts the first resident that has what {@code spot} lacks; the nodes that it is on. */
    private List<Integer> give(String job, NodeSlots spot, HostLevel level) {
        boolean lacksCpus = now.lacksCpus(spot, level);
        boolean lacksMemory = now.lacksMemory(spot, level);
        Map.Entry<Integer, Resident> giver = residents.entrySet().stream()
                .filter(entry -> entry.getValue().isOn(spot.node()))
                .filter(entry -> (lacksCpus && spare(entry.getValue(), true) > 0)
                        || (lacksMemory && spare(entry.getValue(), false) > 0))
                .min(FIRST_TO_GIVE)
                .orElseThrow(() -> new IllegalStateException(
                        "job %s finds no room for %d slots with %s on node %d, where nobody has more than its floor"
                                .formatted(job, spot.slots(), level, spot.node())));
        Resident before = giver.getValue();
        before.spots().forEach(own -> {
            now.take(own, before.level(), -1);
            now.take(own, before.floor(), 1);
        });
        giver.setValue(new Resident(before.spots(), before.floor(), before.floor()));
        return before.spots().stream().map(NodeSlots::node).toList();
    }

    private static double spare(Resident resident, boolean cpus) {
        return cpus
                ? resident.level().cpusPerSlot() - resident.floor().cpusPerSlot()
                : resident.level().memoryGiBPerSlot() - resident.floor().memoryGiBPerSlot();
    }
}
