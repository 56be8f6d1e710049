package dev.spur.solver.placement;

/**
 * CPUs and GiB of memory as integers for CP-SAT. Demand is rounded down and supply up, by less than the tolerance of
 * the plan validator, so that no constraint forbids a feasible host.
 */
public final class HostUnits {
    private static final double PER_CPU_OR_GIB = 1e8;
    private static final long PER_THOUSANDTH = 100_000;

    private HostUnits() {}

    /** Returns the units of a demand, in CPUs or GiB. */
    public static long demand(double amount) {
        return (long) Math.floor(amount * PER_CPU_OR_GIB);
    }

    /** Returns the units of a supply, in CPUs or GiB. */
    public static long supply(double amount) {
        return (long) Math.ceil(amount * PER_CPU_OR_GIB);
    }

    /** Returns the units of thousandths of a CPU. */
    public static long cpus(long thousandths) {
        return thousandths * PER_THOUSANDTH;
    }

    /** Returns the whole thousandths of a CPU in {@code units}. */
    public static long thousandths(long units) {
        return units / PER_THOUSANDTH;
    }

    /** Returns the amount of {@code units}, in CPUs or GiB. */
    public static double amount(long units) {
        return units / PER_CPU_OR_GIB;
    }
}
