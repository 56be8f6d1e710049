package dev.spur.model.job;

import dev.spur.model.Checks;

/**
 * Host resources that each slot of a job requires of its node in addition to the accelerator.
 *
 * @param cpusPerSlot host CPUs
 * @param memoryGiBPerSlot host memory, GiB
 */
public record HostDemand(double cpusPerSlot, double memoryGiBPerSlot) {
    /** No host resources. */
    public static final HostDemand NONE = new HostDemand(0, 0);

    public HostDemand {
        Checks.atLeast("cpusPerSlot", cpusPerSlot, 0);
        Checks.atLeast("memoryGiBPerSlot", memoryGiBPerSlot, 0);
    }
}
