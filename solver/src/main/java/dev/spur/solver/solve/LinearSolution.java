package dev.spur.solver.solve;

/** Values for the variables of a {@link LinearProgram} that satisfy its rows. */
public final class LinearSolution {
    private final double worth;
    private final double bound;
    private final double[] values;

    LinearSolution(double worth, double bound, double[] values) {
        this.worth = worth;
        this.bound = bound;
        this.values = values;
    }

    /** The objective at these values. */
    public double worth() {
        return worth;
    }

    /** No other values are better than this. */
    public double bound() {
        return bound;
    }

    /** Value of {@code variable}. */
    public double value(int variable) {
        return values[variable];
    }

    /** True if {@code variable}, which is 0 or 1, is 1. */
    public boolean isOne(int variable) {
        return values[variable] > 0.5;
    }
}
