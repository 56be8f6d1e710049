package dev.spur.solver.placement;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Greedy placement of the gangs of one class: larger shares first, each on the fullest node that holds it, if possible
 * in a rack of its gang.
 */
final class GreedyPlacer {
    private record Part(int gang, int size, int pieces) {}

    private final CandidateSet candidates;
    private final NodeClass nodeClass;
    private final ResidualCluster room;
    private final Map<String, List<Integer>> nodesOfRack = new HashMap<>();
    /** Nodes of each gang, with the slots on each. */
    private final Map<Integer, Map<Integer, Integer>> found = new LinkedHashMap<>();

    /** @param room residual cluster, from which placed shares are taken */
    GreedyPlacer(CandidateSet candidates, NodeClass nodeClass, ResidualCluster room) {
        this.candidates = candidates;
        this.nodeClass = nodeClass;
        this.room = room;
        nodeClass
                .nodes()
                .forEach(v -> nodesOfRack
                        .computeIfAbsent(rack(v), name -> new ArrayList<>())
                        .add(v));
    }

    private String rack(int v) {
        Node node = candidates.hardware().nodes().get(v);
        return node.rack() == null ? node.id() : node.rack();
    }

    /**
     * Returns by gang its nodes and the slots on each; a gang that does not fit is omitted.
     *
     * @param preference nodes that rescaled gangs take first, where these have room, and that migrated gangs avoid
     */
    Map<Integer, Map<Integer, Integer>> place(List<Integer> gangs, DevicePreference preference) {
        Map<Integer, Integer> stays = preference.nodesOf(gangs);
        found.clear();
        List<Part> parts = new ArrayList<>();
        for (int gang : gangs) {
            List<Integer> shape = candidates.get(gang).configuration().shape();
            shape.forEach(size -> parts.add(new Part(gang, size, shape.size())));
        }
        parts.sort(Comparator.comparingInt(Part::size)
                .thenComparingInt(Part::pieces)
                .reversed()
                .thenComparingInt(Part::gang));
        Set<Integer> failed = new HashSet<>();
        for (Part part : parts) {
            Integer node = stays.get(part.gang());
            if (node != null && room.holds(node, part.size(), demand(part.gang()))) {
                room.take(node, part.size(), demand(part.gang()));
                found.computeIfAbsent(part.gang(), gang -> new LinkedHashMap<>())
                        .put(node, part.size());
            }
        }
        parts.removeIf(part -> found.containsKey(part.gang()));
        for (Part part : parts) {
            if (!failed.contains(part.gang()) && !place(part, preference)) {
                failed.add(part.gang());
            }
        }
        Map<Integer, Map<Integer, Integer>> complete = new LinkedHashMap<>(found);
        complete.keySet().removeAll(failed);
        return complete;
    }

    /** Returns the shares of the last placement to the residual cluster. */
    void release() {
        found.forEach((gang, nodes) -> nodes.forEach((v, slots) -> room.take(v, -slots, demand(gang))));
        found.clear();
    }

    private boolean place(Part part, DevicePreference preference) {
        Map<Integer, Integer> own = found.computeIfAbsent(part.gang(), gang -> new LinkedHashMap<>());
        for (int free = part.size(); free <= nodeClass.slotsPerNode(); free++) {
            int inRack = firstInRacks(part, own, free, preference);
            int best = inRack >= 0 ? inRack : first(part, own, free, preference);
            if (best >= 0) {
                room.take(best, part.size(), demand(part.gang()));
                own.put(best, part.size());
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the first node with exactly {@code free} slots that holds the share, in a rack with a node of
     * {@code own}; or -1.
     */
    private int firstInRacks(Part part, Map<Integer, Integer> own, int free, DevicePreference preference) {
        return own.keySet().stream()
                .flatMap(v -> nodesOfRack.getOrDefault(rack(v), List.of()).stream())
                .filter(v -> room.slots(v) == free && isOpen(part, v, own, preference))
                .min(Comparator.naturalOrder())
                .orElse(-1);
    }

    /** Returns the first node with exactly {@code free} slots that holds the share, none of {@code own}; or -1. */
    private int first(Part part, Map<Integer, Integer> own, int free, DevicePreference preference) {
        BitSet open = room.nodesWith(nodeClass.index(), free);
        for (int v = open.nextSetBit(0); v >= 0; v = open.nextSetBit(v + 1)) {
            if (isOpen(part, v, own, preference)) {
                return v;
            }
        }
        return -1;
    }

    private boolean isOpen(Part part, int v, Map<Integer, Integer> own, DevicePreference preference) {
        return !own.containsKey(v)
                && room.holds(v, part.size(), demand(part.gang()))
                && (candidates.get(part.gang()).change() != ChangeMechanism.MIGRATE
                        || preference.allows(part.gang(), v, part.size()));
    }

    private HostDemand demand(int gang) {
        return candidates.host(candidates.get(gang));
    }
}
