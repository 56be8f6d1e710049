package dev.spur.model.job;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import dev.spur.model.performance.HostLevel;

/**
 * Host resources that each slot of a job requires of its node in addition to the accelerator.
 *
 * @param cpusPerSlot host CPUs
 * @param memoryGiBPerSlot host memory, GiB
 */
public record HostDemand(double cpusPerSlot, double memoryGiBPerSlot) {
    /** No host resources. */
    public static final HostDemand NONE = new HostDemand(0, 0);

    /** Tolerance of CPUs and GiB. */
    private static final double TOLERANCE = 1e-9;

    public HostDemand {
        Checks.atLeast("cpusPerSlot", cpusPerSlot, 0);
        Checks.atLeast("memoryGiBPerSlot", memoryGiBPerSlot, 0);
    }

    /** Returns the demand of {@code level}. */
    public static HostDemand of(HostLevel level) {
        return new HostDemand(level.cpusPerSlot(), level.memoryGiBPerSlot());
    }

    /** Returns the sum of both demands. */
    public HostDemand plus(HostDemand other) {
        return other.equals(NONE)
                ? this
                : new HostDemand(cpusPerSlot + other.cpusPerSlot, memoryGiBPerSlot + other.memoryGiBPerSlot);
    }

    /** Returns the larger demand for CPUs, and that for memory, of both. */
    public HostDemand max(HostDemand other) {
        return new HostDemand(
                Math.max(cpusPerSlot, other.cpusPerSlot), Math.max(memoryGiBPerSlot, other.memoryGiBPerSlot));
    }

    /** Returns whether a host with {@code cpus} and {@code memoryGiB} suffices for {@code slots} slots. */
    public boolean fits(int slots, double cpus, double memoryGiB) {
        return slots * cpusPerSlot <= cpus + TOLERANCE && slots * memoryGiBPerSlot <= memoryGiB + TOLERANCE;
    }

    /** Returns the number of slots of the idle {@code node} for which its host suffices. */
    public int slotsOn(Node node) {
        int slots = node.slots();
        while (slots > 0 && !fits(slots, node.cpus(), node.memoryGiB())) {
            slots--;
        }
        return slots;
    }
}
