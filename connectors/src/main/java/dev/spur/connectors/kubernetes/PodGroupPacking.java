package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.kubernetes.PodSets.PodSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which group of pods goes to which node, where each goes to one node as a whole: the largest first, to the first node
 * with room.
 */
final class PodGroupPacking {
    private PodGroupPacking() {}

    /**
     * The node of each group; empty if the groups do not go into the nodes so.
     *
     * @param shape the groups
     * @param there slots by node, all slots of the groups together
     */
    static Optional<Map<PodSet, String>> of(PodSets shape, JobPlacement there) {
        Map<String, Integer> room = new TreeMap<>(there.slots());
        Map<PodSet, String> nodes = new LinkedHashMap<>();
        List<PodSet> largestFirst = shape.roles().stream()
                .sorted(Comparator.comparing(PodSet::pods).reversed())
                .toList();
        for (PodSet role : largestFirst) {
            int slots = role.pods() * shape.unit();
            Optional<String> node = room.keySet().stream()
                    .filter(name -> room.getOrDefault(name, 0) >= slots)
                    .findFirst();
            if (node.isEmpty()) {
                return Optional.empty();
            }
            nodes.put(role, node.get());
            room.merge(node.get(), -slots, Integer::sum);
        }
        return Optional.of(nodes);
    }
}
