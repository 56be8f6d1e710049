package dev.spur.connectors;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a job runs: how many slots it has on each of its nodes, or in its pool where nobody can say on which nodes it
 * is to run. Which devices these are is the platform's own affair.
 *
 * @param slots slots by name of the node, each at least 1; empty for nowhere
 */
public record JobPlacement(SortedMap<String, Integer> slots) {
    /** Nowhere. */
    public static final JobPlacement NONE = new JobPlacement(new TreeMap<>());

    public JobPlacement {
        slots.forEach((node, count) -> {
            ArgumentChecks.named("node", node);
            ArgumentChecks.require(count >= 1, "slots (%d) on node %s must be at least 1".formatted(count, node));
        });
        slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    /** A placement with these slots by node. */
    public static JobPlacement of(Map<String, Integer> slots) {
        return new JobPlacement(new TreeMap<>(slots));
    }

    /** All slots. */
    public int total() {
        return slots.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Slots on a node; 0 if it has none there. */
    public int on(String node) {
        return slots.getOrDefault(node, 0);
    }

    /** True if it has no slots. */
    public boolean isNowhere() {
        return slots.isEmpty();
    }

    /** True if every slot of this one is a slot of {@code other}, too. */
    public boolean isWithin(JobPlacement other) {
        return slots.entrySet().stream().allMatch(entry -> entry.getValue() <= other.on(entry.getKey()));
    }
}
