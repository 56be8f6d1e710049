package dev.spur.solver.placement;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Greedy placement of the gangs of one class: larger shares first, each on the fullest node that holds it, if possible
 * in a rack of its gang.
 */
final class GreedyPlacer {
    private record Part(int gang, int size, int parts, int pieces) {}

    private final CandidateSet candidates;
    private final NodeClass nodeClass;
    private final ResidualCluster remainingCluster;
    private final Map<String, List<Integer>> nodesOfRack = new HashMap<>();
    private final Map<Integer, ResourceDemand> demands = new HashMap<>();
    /** Nodes of each gang, with the slots on each. */
    private final Map<Integer, Map<Integer, Integer>> found = new LinkedHashMap<>();

    /** @param remainingCluster residual cluster, from which placed shares are taken */
    GreedyPlacer(CandidateSet candidates, NodeClass nodeClass, ResidualCluster remainingCluster) {
        this.candidates = candidates;
        this.nodeClass = nodeClass;
        this.remainingCluster = remainingCluster;
        nodeClass
                .nodes()
                .forEach(v -> nodesOfRack
                        .computeIfAbsent(rack(v), name -> new ArrayList<>())
                        .add(v));
    }

    private String rack(int v) {
        Node node = candidates.clusterIndex().nodes().get(v);
        return node.rack() == null ? node.id() : node.rack();
    }

    /**
     * Returns by gang its nodes and the slots on each; a gang that does not fit is omitted.
     *
     * @param preference nodes that rescaled gangs take first, where these have room, and that migrated gangs avoid
     */
    Map<Integer, Map<Integer, Integer>> place(List<Integer> gangs, DevicePreference preference) {
        found.clear();
        List<Part> parts = new ArrayList<>();
        for (int gang : gangs) {
            List<Integer> shape = candidates.get(gang).configuration().shape();
            int share = candidates.get(gang).parts();
            shape.forEach(size -> parts.add(new Part(gang, size, share, shape.size())));
        }
        parts.sort(Comparator.comparingInt(Part::size)
                .thenComparingInt(Part::parts)
                .thenComparingInt(Part::pieces)
                .reversed()
                .thenComparingInt(Part::gang));
        Set<Integer> failed = new HashSet<>();
        stay(parts, preference);
        for (Part part : parts) {
            if (!failed.contains(part.gang()) && !place(part, preference)) {
                failed.add(part.gang());
            }
        }
        Map<Integer, Map<Integer, Integer>> complete = new LinkedHashMap<>(found);
        complete.keySet().removeAll(failed);
        return complete;
    }

    /**
     * Places shares of rescaled gangs where these are, and removes them from {@code parts}. Each gang puts the largest
     * share that fits on the node of rank 0. The further nodes follow, after every rank 0 has its node.
     */
    private void stay(List<Part> parts, DevicePreference preference) {
        parts.removeIf(part -> !found.containsKey(part.gang())
                && stays(part, preference.nodesOf(part.gang()).stream().limit(1), preference));
        parts.removeIf(part -> found.containsKey(part.gang())
                && stays(part, preference.nodesOf(part.gang()).stream().skip(1), preference));
    }

    /** Places the share on the first of {@code nodes} that holds it; returns false if there is none. */
    private boolean stays(Part part, Stream<Integer> nodes, DevicePreference preference) {
        Map<Integer, Integer> own = found.getOrDefault(part.gang(), Map.of());
        Optional<Integer> first = nodes.filter(v -> candidates.clusterIndex().classOf(v) == nodeClass.index())
                .filter(v -> isOpen(part, v, own, preference))
                .findFirst();
        first.ifPresent(v -> take(part, v));
        return first.isPresent();
    }

    private void take(Part part, int v) {
        remainingCluster.move(v, part.size(), demand(part.gang()), 1);
        found.computeIfAbsent(part.gang(), gang -> new LinkedHashMap<>()).put(v, part.size());
    }

    /** Returns the shares of the last placement to the residual cluster. */
    void release() {
        found.forEach((gang, nodes) -> nodes.forEach((v, slots) -> remainingCluster.move(v, slots, demand(gang), -1)));
        found.clear();
    }

    private boolean place(Part part, DevicePreference preference) {
        Map<Integer, Integer> own = found.getOrDefault(part.gang(), Map.of());
        for (int room = part.parts(); room < Elasticity.PARTS; room++) {
            int shared = first(part, own, remainingCluster.rooms().nodesWith(nodeClass.index(), room), preference);
            if (shared >= 0) {
                take(part, shared);
                return true;
            }
        }
        for (int free = part.size(); free <= nodeClass.maxNodeSlots(); free++) {
            int inRack = firstInRacks(part, own, free, preference);
            int best = inRack >= 0
                    ? inRack
                    : first(part, own, remainingCluster.nodesWith(nodeClass.index(), free), preference);
            if (best >= 0) {
                take(part, best);
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
                .filter(v -> remainingCluster.slots(v) == free && isOpen(part, v, own, preference))
                .min(Comparator.naturalOrder())
                .orElse(-1);
    }

    /** Returns the first node of {@code open} that holds the share, none of {@code own}; or -1. */
    private int first(Part part, Map<Integer, Integer> own, BitSet open, DevicePreference preference) {
        for (int v = open.nextSetBit(0); v >= 0; v = open.nextSetBit(v + 1)) {
            if (isOpen(part, v, own, preference)) {
                return v;
            }
        }
        return -1;
    }

    private boolean isOpen(Part part, int v, Map<Integer, Integer> own, DevicePreference preference) {
        return !own.containsKey(v)
                && candidates.get(part.gang()).access().contains(v)
                && remainingCluster.holds(v, part.size(), demand(part.gang()))
                && preference.allows(part.gang(), v, part.size());
    }

    private ResourceDemand demand(int gang) {
        return demands.computeIfAbsent(gang, c -> ResourceDemand.of(candidates, candidates.get(c)));
    }
}
