package dev.spur.service.plans;

import dev.spur.model.allocation.Allocation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The parts of a plan by node, and the revision of the last change of each part. */
public final class NodeParts {
    private NodeParts() {}

    /** Assignments by node, ordered by job id. Nodes without assignments are absent. */
    static Map<String, List<NodeAssignment>> of(List<PlanEntry> running) {
        Map<String, Map<String, NodeAssignment>> byNode = new HashMap<>();
        for (PlanEntry entry : running) {
            for (String node : nodes(entry.allocation())) {
                byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(entry.jobId(), NodeAssignment.on(node, entry));
            }
        }
        Map<String, List<NodeAssignment>> parts = new HashMap<>();
        byNode.forEach((node, assignments) -> parts.put(node, List.copyOf(assignments.values())));
        return parts;
    }

    /**
     * Revision of the last change by node.
     *
     * @param before running jobs of the previous plan
     * @param revisionsBefore revisions of its parts
     * @param after running jobs of the new plan
     * @param revision revision of the new plan
     */
    public static Map<String, Long> revisions(
            List<PlanEntry> before, Map<String, Long> revisionsBefore, List<PlanEntry> after, long revision) {
        Map<String, List<NodeAssignment>> partsBefore = of(before);
        Map<String, List<NodeAssignment>> partsAfter = of(after);
        Map<String, Long> revisions = new HashMap<>(revisionsBefore);
        Set<String> nodes = new HashSet<>(partsBefore.keySet());
        nodes.addAll(partsAfter.keySet());
        for (String node : nodes) {
            List<NodeAssignment> now = partsAfter.getOrDefault(node, List.of());
            if (!now.equals(partsBefore.getOrDefault(node, List.of())) || !revisions.containsKey(node)) {
                revisions.put(node, revision);
            }
        }
        return revisions;
    }

    private static Set<String> nodes(Allocation allocation) {
        Set<String> nodes = new HashSet<>();
        allocation.placement().forEach(piece -> nodes.add(piece.node()));
        allocation.aggregation().forEach(share -> nodes.add(share.node()));
        return nodes;
    }
}
