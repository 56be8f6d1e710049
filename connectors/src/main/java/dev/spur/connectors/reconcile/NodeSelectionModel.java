package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Model of the node choice of a platform that accepts placements by pool. The platform takes the fullest node with
 * enough slots, or else several whole idle nodes of one size.
 */
final class NodeSelectionModel {
    private final List<PlatformNode> nodes;
    private final Map<String, Integer> free = new HashMap<>();

    NodeSelectionModel(List<PlatformNode> nodes) {
        this.nodes =
                nodes.stream().sorted(Comparator.comparing(PlatformNode::name)).toList();
        nodes.stream()
                .filter(node -> node.condition() == Condition.OPEN)
                .forEach(node -> free.put(node.name(), node.free()));
    }

    /** Returns a copy in which the slots of {@code givenUp} are free. */
    NodeSelectionModel with(List<JobPlacement> givenUp) {
        NodeSelectionModel extended = new NodeSelectionModel(nodes);
        extended.free.putAll(free);
        givenUp.forEach(placement -> placement
                .slots()
                .forEach((node, slots) -> extended.free.computeIfPresent(node, (name, now) -> now + slots)));
        return extended;
    }

    /** Predicts the placement of a number of slots; empty if they do not fit. */
    Optional<JobPlacement> find(String pool, int slots) {
        Optional<JobPlacement> shared = nodes.stream()
                .filter(node -> node.pool().equals(pool) && slots > 0 && free(node) >= slots)
                .min(Comparator.comparing(this::free))
                .map(node -> JobPlacement.of(Map.of(node.name(), slots)));
        return shared.or(() -> findDedicated(pool, slots));
    }

    private Optional<JobPlacement> findDedicated(String pool, int slots) {
        List<PlatformNode> idle = nodes.stream()
                .filter(node -> node.pool().equals(pool) && node.slots() > 0 && free(node) == node.slots())
                .toList();
        return idle.stream()
                .map(PlatformNode::slots)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .filter(size -> slots % size == 0)
                .map(size -> idle.stream()
                        .filter(node -> node.slots() == size)
                        .limit(slots / size)
                        .toList())
                .filter(some -> !some.isEmpty() && some.size() * some.get(0).slots() == slots)
                .findFirst()
                .map(some -> {
                    Map<String, Integer> there = new HashMap<>();
                    some.forEach(node -> there.put(node.name(), node.slots()));
                    return JobPlacement.of(there);
                });
    }

    private int free(PlatformNode node) {
        return free.getOrDefault(node.name(), 0);
    }

    /** Takes the slots of {@code there} that {@code own} does not cover. */
    void take(JobPlacement there, JobPlacement own) {
        there.slots().forEach((node, slots) -> free.merge(node, -Math.max(0, slots - own.on(node)), Integer::sum));
    }
}
