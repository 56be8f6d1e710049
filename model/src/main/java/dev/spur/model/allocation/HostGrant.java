package dev.spur.model.allocation;

import dev.spur.model.Checks;

/**
 * What each slot of a job is granted of its node beside the accelerator, where that is not what the job states.
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
