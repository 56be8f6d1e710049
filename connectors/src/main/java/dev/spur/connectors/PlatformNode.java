package dev.spur.connectors;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as its platform shows it.
 *
 * @param name its name there
 * @param pool the group of nodes that it is in
 * @param acceleratorType type of its accelerators; null if it has none
 * @param slots its accelerators, all of that type
 * @param used slots that jobs hold, whoever's they are
 * @param cpus host CPUs for jobs
 * @param memoryGiB host memory for jobs, GiB
 * @param condition whether jobs may run there
 * @param notes what about it cannot be shown to Spur, for people
 */
public record PlatformNode(
        String name,
        String pool,
        @Nullable String acceleratorType,
        int slots,
        int used,
        double cpus,
        double memoryGiB,
        Condition condition,
        List<String> notes) {
    public PlatformNode {
        ArgumentChecks.named("name", name);
        ArgumentChecks.named("pool", pool);
        ArgumentChecks.require(
                slots >= 0 && used >= 0, "slots (%d) and used (%d) must be at least 0".formatted(slots, used));
        ArgumentChecks.require(
                slots == 0 || acceleratorType != null, "node " + name + " has slots but no acceleratorType");
        notes = List.copyOf(notes);
    }

    /** Whether jobs may run on a node. */
    public enum Condition {
        /** They may. */
        OPEN,
        /** Those that run there may stay; no other may come. */
        CLOSED,
        /** It does not answer. */
        LOST
    }

    /** Slots that nobody holds. */
    public int free() {
        return condition == Condition.OPEN ? Math.max(0, slots - used) : 0;
    }
}
