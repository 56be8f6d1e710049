package dev.spur.model.performance;

import dev.spur.model.Checks;

/**
 * The relative speed of a job with given host resources.
 *
 * @param cpusPerSlot host CPUs of each slot
 * @param memoryGiBPerSlot host memory of each slot, GiB
 * @param speed throughput relative to that with the job's stated demand, above 0
 */
public record HostLevel(double cpusPerSlot, double memoryGiBPerSlot, double speed) {
    public HostLevel {
        Checks.atLeast("cpusPerSlot", cpusPerSlot, 0);
        Checks.atLeast("memoryGiBPerSlot", memoryGiBPerSlot, 0);
        Checks.positive("speed", speed);
    }

    /** Returns true if this level has at least as many CPUs and as much memory as {@code other}. */
    boolean covers(HostLevel other) {
        return cpusPerSlot >= other.cpusPerSlot && memoryGiBPerSlot >= other.memoryGiBPerSlot;
    }
}
