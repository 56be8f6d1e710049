package dev.spur.solver.pricing;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import dev.spur.solver.nativelib.SolverFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The master of column generation: a linear program over mixtures of the choices that the groups have made so far.
 *
 * <p>maximize worth of the mixtures, with for each row: use of the mixtures and claims, less what claims cover, <=
 * capacity; for each group: shares add up to 1. A row may be exceeded at its highest price, and sold at its lowest, so
 * that there is always a solution and no price beyond these.
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
            MPVariable amount = solver.makeNumVar(claim.least(), infinity, "");
            rows[claim.cover()].setCoefficient(amount, -1);
            claim.counts().forEach(r -> rows[r].setCoefficient(amount, 1));
        }
    }

    /** From now on the price of a row is at least {@code lowest} and at most {@code highest}. */
    void limitPrice(int row, double lowest, double highest) {
        objective.setCoefficient(exceeded[row], -highest);
        objective.setCoefficient(sold[row], lowest);
    }

    /** Adds a choice of a group: what it is worth and what it uses of each row; returns its number. */
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

    /** Share of a choice in the last solution. */
    double share(int column) {
        return columns.get(column).solutionValue();
    }

    /** From now on its group makes this choice and no other. */
    void fix(int column) {
        columns.get(column).setLb(1);
    }

    /**
     * Solves, and returns whether it came to an optimum. Starting from the last basis the simplex method now and then
     * gets lost in rounding; then it starts afresh.
     */
    boolean solve() {
        if (solver.solve() == MPSolver.ResultStatus.OPTIMAL) {
            return true;
        }
        solver.reset();
        return solver.solve() == MPSolver.ResultStatus.OPTIMAL;
    }

    /** Worth of the best mixture, what is exceeded and sold included. */
    double worth() {
        return objective.value();
    }

    /** The price of each row in the last solution, at least 0. */
    double[] prices() {
        double[] prices = new double[rows.length];
        for (int r = 0; r < rows.length; r++) {
            prices[r] = Math.max(0, rows[r].dualValue());
        }
        return prices;
    }

    /** Frees the solver's memory; the master is of no use afterwards. */
    void delete() {
        solver.delete();
    }
}
