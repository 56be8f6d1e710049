package dev.spur.connectors;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Placement of a job: the number of its slots on each node, or in its pool if the platform chooses the nodes. It
 * contains the batch size and the host resources with which the job runs there. The platform selects the devices.
 *
 * @param slots slots by node name, each at least 1; empty if the job has no placement
 * @param batch global batch size that the job reads at its start, at least 1; null if the job chooses it, and without
 *     slots
 * @param host host resources of each slot, which the platform grants at the start; null if they stay as requested, and
 *     without slots
 */
public record JobPlacement(
        SortedMap<String, Integer> slots,
        @Nullable Integer batch,
        @Nullable HostResources host) {
    /** The empty placement. */
    public static final JobPlacement NONE = new JobPlacement(new TreeMap<>(), null, null);

    public JobPlacement {
        slots.forEach((node, count) -> {
            ArgumentChecks.requireNonBlank("node", node);
            ArgumentChecks.require(count >= 1, "slots (%d) on node %s must be at least 1".formatted(count, node));
        });
        ArgumentChecks.require(
                batch == null || (batch >= 1 && !slots.isEmpty()),
                "batch (%s) must be at least 1, on slots".formatted(batch));
        ArgumentChecks.require(host == null || !slots.isEmpty(), "host (%s) requires slots".formatted(host));
        slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    /** Creates a placement from slots by node, with a batch size that the job chooses and the host that it requests. */
    public static JobPlacement of(Map<String, Integer> slots) {
        return new JobPlacement(new TreeMap<>(slots), null, null);
    }

    /** Returns these slots with another batch size; the empty placement has none. */
    public JobPlacement withBatch(@Nullable Integer other) {
        return isNowhere() ? this : new JobPlacement(slots, other, host);
    }

    /** Returns these slots with other host resources; the empty placement has none. */
    public JobPlacement withHost(@Nullable HostResources other) {
        return isNowhere() ? this : new JobPlacement(slots, batch, other);
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
