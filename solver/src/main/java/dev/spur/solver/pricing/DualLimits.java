package dev.spur.solver.pricing;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The highest price of each row that can be needed. Above it no job that may wait takes a unit, so a higher price
 * changes nothing that jobs choose. It can only make the bound worse, and where a row has no capacity left it costs
 * nothing either, so that without a limit the dual problem is unbounded in that direction.
 *
 * <p>A job that must run, or a job that is paid for keeping its allocation, can be worth more in a row than its own
 * worth: with a unit of this row it leaves resources to others. That is worth at most what all jobs together are worth,
 * so the limit of these candidates includes that sum. The sum rather than the worth of one job: on a node, one large
 * piece leaves room for many small ones.
 */
final class DualLimits {
    private final CouplingConstraints rows;

    private DualLimits(CouplingConstraints rows) {
        this.rows = rows;
    }

    /** The limit by row; 0 for a row that no candidate and no claim uses. */
    static double[] of(CouplingConstraints rows) {
        return new DualLimits(rows).limits();
    }

    private double[] limits() {
        double all =
                IntStream.range(0, rows.jobs()).mapToDouble(this::highestWorth).sum();
        boolean[] tied = new boolean[rows.jobs()];
        for (int j = 0; j < tied.length; j++) {
            tied[j] = isTied(j);
        }
        return perUnit(c -> rows.worth(c) + (tied[rows.candidate(c).job()] ? all : 0));
    }

    private double highestWorth(int j) {
        return rows.offered(j).mapToDouble(rows::worth).reduce(0, Math::max);
    }

    /** By row the highest value per unit, where a candidate that uses it has the value {@code value}. */
    private double[] perUnit(IntToDoubleFunction value) {
        double[] highest = new double[rows.rows().size()];
        for (int c = 0; c < rows.candidates().size(); c++) {
            if (rows.isOffered(c)) {
                double all = value.applyAsDouble(c);
                rows.forEachUse(c, (row, amount) -> highest[row] = Math.max(highest[row], all / Math.abs(amount)));
            }
        }
        // claims of accounts below come after those of the accounts above
        List<CouplingConstraints.ParentClaim> claims = rows.claims();
        for (int i = claims.size() - 1; i >= 0; i--) {
            double covered = highest[claims.get(i).cover()];
            claims.get(i).counts().forEach(row -> highest[row] = Math.max(highest[row], covered));
        }
        return highest;
    }

    /** True if job {@code j} can choose a candidate that is worth less than its price. */
    private boolean isTied(int j) {
        boolean[] paid = new boolean[1];
        rows.offered(j).forEach(c -> rows.forEachUse(c, (row, amount) -> paid[0] |= amount < 0));
        return paid[0] || !rows.mayWait(j);
    }
}
