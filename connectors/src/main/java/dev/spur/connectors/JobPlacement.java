package dev.spur.connectors;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Placement of a job: the number of its slots on each node, or in its pool if the platform chooses the nodes. The
 * platform selects the devices.
 *
 * @param slots slots by node name, each at least 1; empty if the job has no placement
 */
public record JobPlacement(SortedMap<String, Integer> slots) {
    /** The empty placement. */
    public static final JobPlacement NONE = new JobPlacement(new TreeMap<>());

    public JobPlacement {
        slots.forEach((node, count) -> {
            ArgumentChecks.requireNonBlank("node", node);
            ArgumentChecks.require(count >= 1, "slots (%d) on node %s must be at least 1".formatted(count, node));
        });
        slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    /** Creates a placement from slots by node. */
    public static JobPlacement of(Map<String, Integer> slots) {
        return new JobPlacement(new TreeMap<>(slots));
    }

    /** Returns the total number of slots. */
    public int total() {
        return slots.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of slots on a node; 0 if the placement does not include the node. */
    public int on(String node) {
        return slots.getOrDefault(node, 0);
    }

    /** Returns true if the placement has no slots. */
    public boolean isNowhere() {
        return slots.isEmpty();
    }

    /** Returns true if {@code other} has at least as many slots on every node of this placement. */
    public boolean isWithin(JobPlacement other) {
        return slots.entrySet().stream().allMatch(entry -> entry.getValue() <= other.on(entry.getKey()));
    }
}
