package dev.spur.solver.relaxation;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Upper limits of the dual prices. Above the limit of a row, no job that may wait uses a unit of it, so a higher price
 * changes no choice. It can only raise the bound; where the row has no capacity it changes nothing, so that the dual
 * problem has unbounded rays without a limit.
 *
 * <p>The value of a unit can exceed the utility of its job if the job must run or has a bonus for its allocation: with
 * this unit, the job releases resources to others. The sum of the utilities of all jobs bounds this value and is part
 * of the limit of such candidates. A single utility would not suffice, because one large piece on a node can free
 * capacity for many small ones.
 */
final class DualLimits {
    private final CouplingConstraints constraints;

    private DualLimits(CouplingConstraints constraints) {
        this.constraints = constraints;
    }

    /** Returns the limit by row; 0 for a row without use and without claims. */
    static double[] of(CouplingConstraints constraints) {
        return new DualLimits(constraints).limits();
    }

    private double[] limits() {
        double all = IntStream.range(0, constraints.jobs())
                .mapToDouble(this::highestWorth)
                .sum();
        boolean[] tied = new boolean[constraints.jobs()];
        for (int j = 0; j < tied.length; j++) {
            tied[j] = isTied(j);
        }
        return perUnit(
                c -> constraints.worth(c) + (tied[constraints.candidate(c).job()] ? all : 0));
    }

    private double highestWorth(int j) {
        return constraints.candidatesOf(j).mapToDouble(constraints::worth).reduce(0, Math::max);
    }

    /**
     * Returns by row the maximum value per unit over the candidates that use it, where candidate c has the value
     * {@code value(c)}.
     */
    private double[] perUnit(IntToDoubleFunction value) {
        double[] highest = new double[constraints.rows().size()];
        for (int c = 0; c < constraints.candidates().size(); c++) {
            if (constraints.isOffered(c)) {
                double all = value.applyAsDouble(c);
                constraints.forEachUse(
                        c, (row, amount) -> highest[row] = Math.max(highest[row], all / Math.abs(amount)));
            }
        }
        constraints
                .allPrivateQuotas()
                .forEach(quota ->
                        quota.counts().forEach(row -> highest[row] = Math.max(highest[row], highest[quota.row()])));
        // The claims of an account come after those of the accounts above it.
        List<CouplingConstraints.ParentClaim> claims = constraints.claims();
        for (int i = claims.size() - 1; i >= 0; i--) {
            double covered = highest[claims.get(i).cover()];
            claims.get(i).counts().forEach(row -> highest[row] = Math.max(highest[row], covered));
        }
        return highest;
    }

    /** Returns whether job {@code j} can choose a candidate whose utility is below its price. */
    private boolean isTied(int j) {
        boolean[] belowPrice = new boolean[1];
        constraints
                .candidatesOf(j)
                .forEach(c -> constraints.forEachUse(c, (row, amount) -> belowPrice[0] |= amount < 0));
        return belowPrice[0] || !constraints.mayWait(j);
    }
}
