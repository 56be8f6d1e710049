package dev.spur.solver.solve;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.nativelib.SolverFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Linear program, optionally with integer variables, built row by row. GLOP solves it without integers, CP-SAT with
 * them, by deterministic work; both give the same solution each time. In a program with integers, the precision of the
 * other variables is that of CP-SAT's scaling: an equation over them may be infeasible.
 */
public final class LinearProgram {
    private record Variable(double low, double high, boolean integer, double worth) {}

    private record Row(double low, double high, List<Integer> variables, List<Double> factors) {}

    private final List<Variable> variables = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** Adds a variable from {@code low} to {@code high}, which may be infinite; returns its number. */
    public int variable(double low, double high, double worth) {
        variables.add(new Variable(low, high, false, worth));
        return variables.size() - 1;
    }

    /** Adds a variable that is 0 or 1; returns its number. */
    public int binary(double worth) {
        variables.add(new Variable(0, 1, true, worth));
        return variables.size() - 1;
    }

    /** Adds a variable that is a whole number from {@code low} to {@code high}; returns its number. */
    public int integer(int low, int high, double worth) {
        variables.add(new Variable(low, high, true, worth));
        return variables.size() - 1;
    }

    /** Adds a row whose sum is at most {@code high}; returns its number. */
    public int atMost(double high) {
        return row(Double.NEGATIVE_INFINITY, high);
    }

    /** Adds a row whose sum is at least {@code low}; returns its number. */
    public int atLeast(double low) {
        return row(low, Double.POSITIVE_INFINITY);
    }

    /** Adds a row whose sum is from {@code low} to {@code high}; returns its number. */
    public int row(double low, double high) {
        rows.add(new Row(low, high, new ArrayList<>(), new ArrayList<>()));
        return rows.size() - 1;
    }

    /**
     * Adds {@code factor} times {@code variable} to the sum of {@code row}, which must not contain the variable yet.
     */
    public void add(int row, int variable, double factor) {
        rows.get(row).variables().add(variable);
        rows.get(row).factors().add(factor);
    }

    /**
     * The values with the highest sum of worths; empty if there are none, or if none was found within the budget.
     *
     * @param gapTarget relative gap at which the search for integers may stop
     */
    public Optional<LinearSolution> maximize(SolveBudget budget, double gapTarget) {
        boolean integers = variables.stream().anyMatch(Variable::integer);
        MPSolver solver =
                integers ? SolverFactory.cpSatForLinearPrograms(parameters(budget, gapTarget)) : SolverFactory.glop();
        try {
            return solve(solver, integers, budget.wallSeconds());
        } finally {
            solver.delete();
        }
    }

    /** The parameters of MPSolver do not include all of these: CP-SAT ignores its gap. */
    private static String parameters(SolveBudget budget, double gapTarget) {
        return "num_workers: %d, interleave_search: %s, random_seed: %d, max_deterministic_time: %s, relative_gap_limit: %s"
                .formatted(budget.workers(), budget.workers() > 1, budget.seed(), budget.work(), gapTarget);
    }

    private Optional<LinearSolution> solve(MPSolver solver, boolean integers, double seconds) {
        MPVariable[] made = variables.stream()
                .map(v -> solver.makeVar(bound(v.low()), bound(v.high()), v.integer(), ""))
                .toArray(MPVariable[]::new);
        for (int i = 0; i < made.length; i++) {
            solver.objective().setCoefficient(made[i], variables.get(i).worth());
        }
        solver.objective().setMaximization();
        for (Row row : rows) {
            MPConstraint constraint = solver.makeConstraint(bound(row.low()), bound(row.high()), "");
            for (int i = 0; i < row.variables().size(); i++) {
                constraint.setCoefficient(
                        made[row.variables().get(i)], row.factors().get(i));
            }
        }
        solver.setTimeLimit(Math.max(1, (long) (seconds * 1000)));
        MPSolver.ResultStatus status = solver.solve();
        if (status != MPSolver.ResultStatus.OPTIMAL && status != MPSolver.ResultStatus.FEASIBLE) {
            return Optional.empty();
        }
        double[] values = new double[made.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = made[i].solutionValue();
        }
        double worth = solver.objective().value();
        // GLOP states the objective value as the bound, also of a solution that the time limit left suboptimal.
        double bound = integers
                ? solver.objective().bestBound()
                : status == MPSolver.ResultStatus.OPTIMAL ? worth : Double.POSITIVE_INFINITY;
        return Optional.of(new LinearSolution(worth, bound, values));
    }

    private static double bound(double value) {
        return Double.isInfinite(value) ? Math.copySign(MPSolver.infinity(), value) : value;
    }
}
