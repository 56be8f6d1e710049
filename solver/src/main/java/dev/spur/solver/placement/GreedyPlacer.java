package dev.spur.solver.placement;

import dev.spur.model.cluster.Node;
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
import java.util.stream.IntStream;

/**
 * Greedy placement of the gangs of one class: larger shares first, each on the fullest node that holds it, if possible
 * in a rack of its gang. Nodes are numbered within the class and indexed by free slots, so that a share visits few of
 * them.
 */
final class GreedyPlacer {
    private record Part(int gang, int size, int pieces) {}

    private final CandidateSet candidates;
    private final int[] nodes;
    private final int[] left;
    private final double[] cpus;
    private final double[] memory;
    private final BitSet[] byLeft;
    private final int[] rackOf;
    private final List<int[]> nodesOfRack;
    private final Map<Integer, Map<Integer, Integer>> found = new LinkedHashMap<>();

    GreedyPlacer(CandidateSet candidates, NodeClass nodeClass, ResidualCluster room) {
        this.candidates = candidates;
        nodes = nodeClass.nodes().stream().mapToInt(Integer::intValue).toArray();
        left = IntStream.of(nodes).map(room::slots).toArray();
        cpus = IntStream.of(nodes).mapToDouble(room::cpus).toArray();
        memory = IntStream.of(nodes).mapToDouble(room::memory).toArray();
        byLeft = new BitSet[nodeClass.slotsPerNode() + 1];
        for (int free = 0; free < byLeft.length; free++) {
            byLeft[free] = new BitSet();
        }
        rackOf = new int[nodes.length];
        Map<String, List<Integer>> racks = new LinkedHashMap<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) {
            String rack = rack(candidates.hardware().nodes().get(nodes[i]));
            rackOf[i] = numbers.computeIfAbsent(rack, name -> numbers.size());
            racks.computeIfAbsent(rack, name -> new ArrayList<>()).add(i);
            if (left[i] > 0) {
                byLeft[left[i]].set(i);
            }
        }
        nodesOfRack = racks.values().stream()
                .map(own -> own.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    private static String rack(Node node) {
        return node.rack() == null ? node.id() : node.rack();
    }

    /** Returns by gang its nodes and the slots on each; a gang that does not fit is omitted. */
    Map<Integer, Map<Integer, Integer>> place(List<Integer> gangs) {
        List<Part> parts = new ArrayList<>();
        for (int gang : gangs) {
            List<Integer> shape = candidates.get(gang).configuration().shape();
            shape.forEach(size -> parts.add(new Part(gang, size, shape.size())));
        }
        parts.sort(Comparator.comparingInt(Part::size)
                .thenComparingInt(Part::pieces)
                .reversed()
                .thenComparingInt(Part::gang));
        Map<Integer, BitSet> nodesOfGang = new HashMap<>();
        Set<Integer> failed = new HashSet<>();
        for (Part part : parts) {
            BitSet own = nodesOfGang.computeIfAbsent(part.gang(), gang -> new BitSet());
            if (!failed.contains(part.gang()) && !place(part, own)) {
                failed.add(part.gang());
            }
        }
        failed.forEach(found::remove);
        return found;
    }

    private boolean place(Part part, BitSet own) {
        HostDemand demand = candidates.host(candidates.get(part.gang()));
        for (int free = part.size(); free < byLeft.length; free++) {
            int inRack = firstInRacks(own, free, part.size(), demand);
            int best = inRack >= 0 ? inRack : first(own, free, part.size(), demand);
            if (best >= 0) {
                take(best, part, demand);
                own.set(best);
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the first node with exactly {@code free} slots that holds the share, in a rack with a node of
     * {@code own}; or -1.
     */
    private int firstInRacks(BitSet own, int free, int size, HostDemand demand) {
        int first = -1;
        for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
            for (int other : nodesOfRack.get(rackOf[i])) {
                if (left[other] == free
                        && (first < 0 || other < first)
                        && !own.get(other)
                        && holds(other, size, demand)) {
                    first = other;
                }
            }
        }
        return first;
    }

    private int first(BitSet own, int free, int size, HostDemand demand) {
        BitSet open = byLeft[free];
        for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
            if (!own.get(i) && holds(i, size, demand)) {
                return i;
            }
        }
        return -1;
    }

    private boolean holds(int i, int size, HostDemand demand) {
        return cpus[i] + 1e-9 >= size * demand.cpusPerSlot() && memory[i] + 1e-9 >= size * demand.memoryGiBPerSlot();
    }

    private void take(int i, Part part, HostDemand demand) {
        byLeft[left[i]].clear(i);
        left[i] -= part.size();
        byLeft[left[i]].set(i);
        cpus[i] -= part.size() * demand.cpusPerSlot();
        memory[i] -= part.size() * demand.memoryGiBPerSlot();
        found.computeIfAbsent(part.gang(), gang -> new LinkedHashMap<>()).put(nodes[i], part.size());
    }
}
