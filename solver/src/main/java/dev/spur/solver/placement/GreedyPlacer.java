package dev.spur.solver.placement;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Places the gangs of one class, larger pieces first, each on the fullest node that holds it, if possible in a rack of its gang. */
final class GreedyPlacer {
    private record Part(int gang, int size, int pieces) {}

    private final CandidateSet candidates;
    private final NodeClass nodeClass;
    private final int[] left;
    private final double[] cpus;
    private final double[] memory;
    private final Map<Integer, Map<Integer, Integer>> found = new LinkedHashMap<>();

    GreedyPlacer(CandidateSet candidates, NodeClass nodeClass, Room room) {
        this.candidates = candidates;
        this.nodeClass = nodeClass;
        List<Integer> nodes = nodeClass.nodes();
        left = nodes.stream().mapToInt(room::slots).toArray();
        cpus = nodes.stream().mapToDouble(room::cpus).toArray();
        memory = nodes.stream().mapToDouble(room::memory).toArray();
    }

    /** Nodes and slots on each, by gang; a gang that does not fit is left out. */
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
        Set<Integer> failed = new HashSet<>();
        for (Part part : parts) {
            if (!failed.contains(part.gang()) && !place(part)) {
                failed.add(part.gang());
            }
        }
        failed.forEach(found::remove);
        return found;
    }

    private boolean place(Part part) {
        Map<Integer, Integer> own = found.computeIfAbsent(part.gang(), g -> new LinkedHashMap<>());
        Job job = candidates.job(candidates.get(part.gang()).job());
        double cpu = part.size() * job.spec().host().cpusPerSlot();
        double gib = part.size() * job.spec().host().memoryGiBPerSlot();
        Set<String> racks = new HashSet<>();
        own.keySet().forEach(v -> racks.add(rack(v)));
        int best = -1;
        for (int i = 0; i < left.length; i++) {
            boolean holds = left[i] >= part.size() && cpus[i] + 1e-9 >= cpu && memory[i] + 1e-9 >= gib;
            if (holds && !own.containsKey(nodeClass.nodes().get(i)) && (best < 0 || isBetter(i, best, racks))) {
                best = i;
            }
        }
        if (best < 0) {
            return false;
        }
        left[best] -= part.size();
        cpus[best] -= cpu;
        memory[best] -= gib;
        own.put(nodeClass.nodes().get(best), part.size());
        return true;
    }

    private boolean isBetter(int i, int best, Set<String> racks) {
        if (left[i] != left[best]) {
            return left[i] < left[best];
        }
        return racks.contains(rack(nodeClass.nodes().get(i)))
                && !racks.contains(rack(nodeClass.nodes().get(best)));
    }

    private String rack(int v) {
        Node node = candidates.hardware().nodes().get(v);
        return node.rack() == null ? node.id() : node.rack();
    }
}
