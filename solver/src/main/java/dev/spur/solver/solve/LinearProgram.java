package dev.spur.solver.solve;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
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
        MPSolver solver = integers ? SolverFactory.cpSatForLinearPrograms(parameters(budget)) : SolverFactory.glop();
        try {
            return solve(solver, integers, budget, gapTarget);
        } finally {
            solver.delete();
        }
    }

    private static String parameters(SolveBudget budget) {
        return "num_workers: %d, interleave_search: %s, random_seed: %d, max_deterministic_time: %s"
                .formatted(budget.workers(), budget.workers() > 1, budget.seed(), budget.work());
    }

    private Optional<LinearSolution> solve(MPSolver solver, boolean integers, SolveBudget budget, double gapTarget) {
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
        MPSolverParameters parameters = new MPSolverParameters();
        parameters.setDoubleParam(MPSolverParameters.DoubleParam.RELATIVE_MIP_GAP, gapTarget);
        solver.setTimeLimit((long) (budget.wallSeconds() * 1000));
        MPSolver.ResultStatus status = solver.solve(parameters);
        if (status != MPSolver.ResultStatus.OPTIMAL && status != MPSolver.ResultStatus.FEASIBLE) {
            return Optional.empty();
        }
        double[] values = new double[made.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = made[i].solutionValue();
        }
        double worth = solver.objective().value();
        return Optional.of(
                new LinearSolution(worth, integers ? solver.objective().bestBound() : worth, values));
    }

    private static double bound(double value) {
        return Double.isInfinite(value) ? Math.copySign(MPSolver.infinity(), value) : value;
    }
}
