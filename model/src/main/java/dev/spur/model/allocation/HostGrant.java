package dev.spur.model.allocation;

import dev.spur.model.Checks;

/**
 * Host resources granted per slot of a job, where they differ from the job's own host demand.
 *
 * @param cpusPerSlot host CPUs
 * @param memoryGiBPerSlot host memory, GiB
 */
public record HostGrant(double cpusPerSlot, double memoryGiBPerSlot) {
    public HostGrant {
        Checks.atLeast("cpusPerSlot", cpusPerSlot, 0);
        Checks.atLeast("memoryGiBPerSlot", memoryGiBPerSlot, 0);
    }
}
