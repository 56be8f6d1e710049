package dev.spur.solver.relaxation;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import dev.spur.solver.nativelib.SolverFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Restricted master of column generation: a linear program over convex combinations of the columns found so far.
 *
 * <p>Maximize the utility of the combinations. For each row, use of the combinations + claims - covered claims <=
 * capacity. For each group, the shares of its columns add up to 1.
 *
 * <p>A row may be exceeded at its highest price, and sold at its lowest price. The program is therefore always
 * feasible, and no price is outside of this range.
 */
final class RestrictedMaster {
    private final MPSolver solver = SolverFactory.glop();
    private final MPObjective objective = solver.objective();
    private final MPConstraint[] rows;
    private final MPVariable[] exceeded;
    private final MPVariable[] sold;
    private final MPConstraint[] shares;
    private final List<MPVariable> columns = new ArrayList<>();

    RestrictedMaster(CouplingConstraints coupling, int groups) {
        double infinity = MPSolver.infinity();
        objective.setMaximization();
        rows = new MPConstraint[coupling.rows().size()];
        exceeded = new MPVariable[rows.length];
        sold = new MPVariable[rows.length];
        for (int r = 0; r < rows.length; r++) {
            rows[r] = solver.makeConstraint(-infinity, coupling.rows().get(r).capacity());
            exceeded[r] = solver.makeNumVar(0, infinity, "");
            rows[r].setCoefficient(exceeded[r], -1);
            sold[r] = solver.makeNumVar(0, infinity, "");
            rows[r].setCoefficient(sold[r], 1);
        }
        shares = new MPConstraint[groups];
        for (int g = 0; g < groups; g++) {
            shares[g] = solver.makeConstraint(1, 1);
        }
        for (CouplingConstraints.ParentClaim claim : coupling.claims()) {
            MPVariable amount = solver.makeNumVar(claim.min(), infinity, "");
            rows[claim.cover()].setCoefficient(amount, -1);
            claim.counts().forEach(r -> rows[r].setCoefficient(amount, 1));
        }
    }

    /** Limits the price of a row to the range from {@code lowest} to {@code highest} in further solves. */
    void limitPrice(int row, double lowest, double highest) {
        objective.setCoefficient(exceeded[row], -highest);
        objective.setCoefficient(sold[row], lowest);
    }

    /** Adds a column of a group with its utility and use by row; returns its number. */
    int addColumn(int group, double worth, double[] use) {
        MPVariable share = solver.makeNumVar(0, MPSolver.infinity(), "");
        objective.setCoefficient(share, worth);
        shares[group].setCoefficient(share, 1);
        for (int r = 0; r < use.length; r++) {
            if (use[r] != 0) {
                rows[r].setCoefficient(share, use[r]);
            }
        }
        columns.add(share);
        return columns.size() - 1;
    }

    /** Returns the share of a column in the last solution. */
    double share(int column) {
        return columns.get(column).solutionValue();
    }

    /** Fixes the group of {@code column} to this column. */
    void fix(int column) {
        columns.get(column).setLb(1);
    }

    /**
     * Solves the program; returns whether the result is optimal. If the simplex method fails numerically from the last
     * basis, it starts again without one.
     */
    boolean solve() {
        if (solver.solve() == MPSolver.ResultStatus.OPTIMAL) {
            return true;
        }
        solver.reset();
        return solver.solve() == MPSolver.ResultStatus.OPTIMAL;
    }

    /** Returns the objective value, including the cost of excess and the value of sold capacity. */
    double worth() {
        return objective.value();
    }

    /** Returns the price of each row in the last solution, at least 0. */
    double[] prices() {
        double[] prices = new double[rows.length];
        for (int r = 0; r < rows.length; r++) {
            prices[r] = Math.max(0, rows[r].dualValue());
        }
        return prices;
    }

    /** Frees the memory of the solver; the master cannot be used afterwards. */
    void delete() {
        solver.delete();
    }
}
