package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.kubernetes.PodSets.PodSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Assignment of pod sets to nodes for kinds that place each pod set on one node: first-fit decreasing. */
final class PodGroupPacking {
    private PodGroupPacking() {}

    /**
     * Returns the node of each pod set; empty if first fit finds no assignment.
     *
     * @param shape the pod sets
     * @param there slots by node, in total the slots of all pod sets
     */
    static Optional<Map<PodSet, String>> of(PodSets shape, JobPlacement there) {
        Map<String, Integer> free = new TreeMap<>(there.slots());
        Map<PodSet, String> nodes = new LinkedHashMap<>();
        List<PodSet> largestFirst = shape.roles().stream()
                .sorted(Comparator.comparing(PodSet::pods).reversed())
                .toList();
        for (PodSet role : largestFirst) {
            int slots = role.pods() * shape.unit();
            Optional<String> node = free.keySet().stream()
                    .filter(name -> free.getOrDefault(name, 0) >= slots)
                    .findFirst();
            if (node.isEmpty()) {
                return Optional.empty();
            }
            nodes.put(role, node.get());
            free.merge(node.get(), -slots, Integer::sum);
        }
        return Optional.of(nodes);
    }
}
