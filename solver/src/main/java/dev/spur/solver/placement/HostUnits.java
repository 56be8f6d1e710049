package dev.spur.solver.placement;

/**
 * CPUs and GiB of memory as whole numbers for CP-SAT. Demand is rounded down and supply up, by less than the check of
 * plans tolerates, so that no row forbids what a host can hold.
 */
public final class HostUnits {
    private static final double PER_CPU_OR_GIB = 1e8;

    private HostUnits() {}

    /** Units of what a piece or a job takes, in CPUs or GiB. */
    public static long demand(double amount) {
        return (long) Math.floor(amount * PER_CPU_OR_GIB);
    }

    /** Units of what is left, in CPUs or GiB. */
    public static long supply(double amount) {
        return (long) Math.ceil(amount * PER_CPU_OR_GIB);
    }
}
