package dev.spur.connectors;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node as its platform reports it.
 *
 * @param name name on the platform
 * @param pool resource pool of the node
 * @param acceleratorType type of the accelerators; null if there are none
 * @param slots number of accelerators, all of one type
 * @param used slots held by any job
 * @param cpus host CPUs for jobs
 * @param memoryGiB host memory for jobs, GiB
 * @param condition availability for jobs
 * @param notes properties that Spur cannot model, as text
 * @param hasShares true if slots are shares of GPUs, among which jobs cannot sum gradients directly
 * @param rack name of its rack; null if the platform states none
 * @param block name of its block of racks; null if the platform states none
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
        List<String> notes,
        boolean hasShares,
        @Nullable String rack,
        @Nullable String block) {
    public PlatformNode {
        ArgumentChecks.requireNonBlank("name", name);
        ArgumentChecks.requireNonBlank("pool", pool);
        ArgumentChecks.require(
                slots >= 0 && used >= 0, "slots (%d) and used (%d) must be at least 0".formatted(slots, used));
        ArgumentChecks.require(
                slots == 0 || acceleratorType != null, "node " + name + " has slots but no acceleratorType");
        notes = List.copyOf(notes);
    }

    /** A node whose slots are whole accelerators, and whose platform states no topology. */
    public PlatformNode(
            String name,
            String pool,
            @Nullable String acceleratorType,
            int slots,
            int used,
            double cpus,
            double memoryGiB,
            Condition condition,
            List<String> notes) {
        this(name, pool, acceleratorType, slots, used, cpus, memoryGiB, condition, notes, false, null, null);
    }

    /** Availability of a node. */
    public enum Condition {
        /** Available to jobs. */
        OPEN,
        /** Running jobs may finish; no other job may start. */
        CLOSED,
        /** Not responding. */
        LOST
    }

    /** Returns a copy with an additional note. */
    public PlatformNode withNote(String note) {
        List<String> all = Stream.concat(notes.stream(), Stream.of(note)).toList();
        return new PlatformNode(
                name, pool, acceleratorType, slots, used, cpus, memoryGiB, condition, all, hasShares, rack, block);
    }

    /** Returns the slots that no job holds. */
    public int free() {
        return condition == Condition.OPEN ? Math.max(0, slots - used) : 0;
    }
}
