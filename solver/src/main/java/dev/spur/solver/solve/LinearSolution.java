package dev.spur.solver.solve;

/** Values for the variables of a {@link LinearProgram} that satisfy its rows. */
public final class LinearSolution {
    private final double objectiveValue;
    private final double bestBound;
    private final double[] values;

    LinearSolution(double worth, double bound, double[] values) {
        this.objectiveValue = worth;
        this.bestBound = bound;
        this.values = values;
    }

    /** The objective at these values. */
    public double objectiveValue() {
        return objectiveValue;
    }

    /** No other values are better than this; positive infinity if nothing is proved. */
    public double bestBound() {
        return bestBound;
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
