package dev.spur.connectors;

/**
 * Host resources of each slot of a job.
 *
 * @param cpuThousandths CPUs in thousandths, at least 1
 * @param memoryMiB memory in MiB, at least 1
 */
public record HostResources(long cpuThousandths, long memoryMiB) {
    private static final double THOUSANDTHS = 1000;
    /** MiB of a GiB. */
    private static final double MEBIBYTES = 1024;

    public HostResources {
        ArgumentChecks.require(cpuThousandths >= 1, "cpuThousandths (%d) must be at least 1".formatted(cpuThousandths));
        ArgumentChecks.require(memoryMiB >= 1, "memoryMiB (%d) must be at least 1".formatted(memoryMiB));
    }

    /** Returns CPUs and GiB, each at least 0.001, rounded to thousandths of a CPU and to MiB. */
    public static HostResources of(double cpus, double memoryGiB) {
        return new HostResources(Math.round(THOUSANDTHS * cpus), Math.round(MEBIBYTES * memoryGiB));
    }

    /** Returns the CPUs of each slot. */
    public double cpus() {
        return cpuThousandths / THOUSANDTHS;
    }

    /** Returns the memory of each slot, GiB. */
    public double memoryGiB() {
        return memoryMiB / MEBIBYTES;
    }
}
