package dev.spur.model.job;

import dev.spur.model.Checks;

/**
 * What each slot of a job needs of its node beside the accelerator.
 *
 * @param cpusPerSlot host CPUs
 * @param memoryGiBPerSlot host memory, GiB
 */
public record HostDemand(double cpusPerSlot, double memoryGiBPerSlot) {
    /** Nothing. */
    public static final HostDemand NONE = new HostDemand(0, 0);

    public HostDemand {
        Checks.atLeast("cpusPerSlot", cpusPerSlot, 0);
        Checks.atLeast("memoryGiBPerSlot", memoryGiBPerSlot, 0);
    }
}
