package dev.spur.policies.monolithic;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import com.google.ortools.sat.ConstraintProto;
import com.google.ortools.sat.CpModelProtoOrBuilder;
import com.google.ortools.sat.CpObjectiveProto;
import com.google.ortools.sat.IntegerVariableProto;
import com.google.ortools.sat.LinearConstraintProto;
import com.google.ortools.sat.PartialVariableAssignment;
import com.sun.jna.Pointer;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Linear model of a MIP solver, converted from the CP-SAT model of a program. Variables keep their indices. A literal x
 * becomes x, its negation 1 - x.
 */
final class LinearModel {
    /** Units of the program's objective per unit of a scaled model's, for which solvers have a tolerance of 1e-6. */
    private static final double UNIT = 1e6;
    /** Relative correction of a bound, far above the floating-point tolerances of MIP solvers. */
    private static final double TOLERANCE = 5e-7;

    private static final int ROW_WISE = 2;
    private static final int MINIMIZE = 1;
    private static final int MAXIMIZE = -1;
    private static final int INTEGER = 1;

    private final RoundProgram program;
    /** Units of the program's objective per unit of this model's. */
    private final double unit;

    private final boolean isScaled;
    private final double[] lower;
    private final double[] upper;
    private final double[] costs;
    private final double offset;
    private final boolean maximizes;
    private final PartialVariableAssignment hint;
    private final List<Row> rows = new ArrayList<>();

    /** Lower <= sum of coefficients times variables <= upper. */
    private record Row(double lower, double upper, Map<Integer, Double> coefficients) {}

    /**
     * Returns the model of {@code program} for a solver that compares with an absolute tolerance: each row is divided
     * by its largest coefficient.
     *
     * @throws IllegalArgumentException if {@code program} contains a constraint that is not a linear row over all
     *     integer values between two bounds
     */
    static LinearModel withScaledRows(RoundProgram program) {
        return new LinearModel(program, UNIT, true);
    }

    /** Returns the model of {@code program} with integer rows, and utilities in the objective; throws likewise. */
    static LinearModel withIntegerRows(RoundProgram program) {
        return new LinearModel(program, program.scale(), false);
    }

    private LinearModel(RoundProgram program, double unit, boolean isScaled) {
        this.program = program;
        this.unit = unit;
        this.isScaled = isScaled;
        CpModelProtoOrBuilder model = program.model().getBuilder();
        model.getVariablesList().forEach(variable -> requireInterval(variable.getDomainList()));
        lower = bounds(model.getVariablesList(), 0);
        upper = bounds(model.getVariablesList(), 1);
        model.getConstraintsList().forEach(this::addConstraint);
        CpObjectiveProto objective = model.getObjective();
        // CP-SAT minimizes, and states a maximum by a scaling factor of -1
        double factor = (objective.getScalingFactor() == 0 ? 1 : objective.getScalingFactor()) / unit;
        maximizes = factor < 0;
        costs = new double[lower.length];
        for (int i = 0; i < objective.getVarsCount(); i++) {
            costs[objective.getVars(i)] += factor * (double) objective.getCoeffs(i);
        }
        offset = factor * objective.getOffset();
        hint = model.getSolutionHint();
    }

    private static double[] bounds(List<IntegerVariableProto> variables, int end) {
        return variables.stream()
                .mapToDouble(variable -> (double) variable.getDomain(end))
                .toArray();
    }

    /** Returns the number of variables. */
    int variables() {
        return costs.length;
    }

    /** Returns the constant term of the objective. */
    double offset() {
        return offset;
    }

    /** Passes this model to {@code solver}; returns the status of the call. */
    int passTo(HighsLibrary highs, Pointer solver) {
        int[] integrality = new int[costs.length];
        Arrays.fill(integrality, INTEGER);
        int[] starts = new int[rows.size()];
        for (int r = 1; r < starts.length; r++) {
            starts[r] = starts[r - 1] + rows.get(r - 1).coefficients().size();
        }
        int[] indices = rows.stream()
                .flatMap(row -> row.coefficients().keySet().stream())
                .mapToInt(index -> index)
                .toArray();
        return highs.passMip(
                solver,
                costs.length,
                rows.size(),
                indices.length,
                ROW_WISE,
                maximizes ? MAXIMIZE : MINIMIZE,
                offset,
                costs,
                lower,
                upper,
                rows.stream().mapToDouble(Row::lower).toArray(),
                rows.stream().mapToDouble(Row::upper).toArray(),
                starts,
                indices,
                rows.stream()
                        .flatMap(row -> row.coefficients().values().stream())
                        .mapToDouble(coefficient -> coefficient)
                        .toArray(),
                integrality);
    }

    /** Passes the hint of the program to {@code solver}; returns the status of the call. */
    int passHintTo(HighsLibrary highs, Pointer solver) {
        int[] indices = hint.getVarsList().stream().mapToInt(index -> index).toArray();
        double[] values =
                hint.getValuesList().stream().mapToDouble(value -> value).toArray();
        return highs.setSparseSolution(solver, indices.length, indices, values);
    }

    /** Passes this model with the hint of the program to {@code solver}, and returns its variables. */
    MPVariable[] passTo(MPSolver solver) {
        MPVariable[] made = new MPVariable[costs.length];
        for (int i = 0; i < made.length; i++) {
            made[i] = solver.makeIntVar(lower[i], upper[i], "");
            solver.objective().setCoefficient(made[i], costs[i]);
        }
        solver.objective().setOffset(offset);
        solver.objective().setOptimizationDirection(maximizes);
        for (Row row : rows) {
            MPConstraint constraint = solver.makeConstraint(row.lower(), row.upper(), "");
            row.coefficients().forEach((index, coefficient) -> constraint.setCoefficient(made[index], coefficient));
        }
        solver.setHint(
                hint.getVarsList().stream().map(index -> made[index]).toArray(MPVariable[]::new),
                hint.getValuesList().stream().mapToDouble(value -> value).toArray());
        return made;
    }

    /** Returns {@code bound}, a bound on the objective of this model, as one on the utility; rounding is included. */
    double utility(double bound) {
        return (bound + TOLERANCE * Math.abs(bound)) * unit / program.scale() + program.roundingError();
    }

    /**
     * Returns a solution of the program.
     *
     * @param values values of the variables
     * @param objective objective of this model at these values
     * @param bound bound on this objective; positive infinity if nothing is known
     * @param isClosed whether the solver ended at its gap target
     * @param seconds duration of the solve
     */
    Solution solution(double[] values, double objective, double bound, boolean isClosed, double seconds) {
        Solution.End end = bound - objective <= TOLERANCE * Math.abs(objective)
                ? Solution.End.OPTIMAL
                : isClosed ? Solution.End.GAP_LIMIT : Solution.End.TIME_LIMIT;
        return new Solution(end, program.choice(literal -> values[literal.getIndex()] > 0.5), utility(bound), seconds);
    }

    private void addConstraint(ConstraintProto constraint) {
        if (constraint.getEnforcementLiteralCount() > 0) {
            throw new IllegalArgumentException("a row holds only under a condition: " + constraint);
        }
        switch (constraint.getConstraintCase()) {
            case LINEAR -> addLinear(constraint.getLinear());
            case AT_MOST_ONE -> addSum(constraint.getAtMostOne().getLiteralsList(), Double.NEGATIVE_INFINITY, 1);
            case EXACTLY_ONE -> addSum(constraint.getExactlyOne().getLiteralsList(), 1, 1);
            case BOOL_OR -> addSum(constraint.getBoolOr().getLiteralsList(), 1, Double.POSITIVE_INFINITY);
            case BOOL_AND -> {
                List<Integer> all = constraint.getBoolAnd().getLiteralsList();
                addSum(all, all.size(), Double.POSITIVE_INFINITY);
            }
            default -> throw new IllegalArgumentException("not a linear row: " + constraint);
        }
    }

    private void addLinear(LinearConstraintProto linear) {
        requireInterval(linear.getDomainList());
        double largest = 1;
        for (long coefficient : isScaled ? linear.getCoeffsList() : List.<Long>of()) {
            largest = Math.max(largest, (double) Math.abs(coefficient));
        }
        Map<Integer, Double> row = new LinkedHashMap<>();
        for (int i = 0; i < linear.getVarsCount(); i++) {
            // a variable may occur twice
            row.merge(linear.getVars(i), (double) linear.getCoeffs(i) / largest, Double::sum);
        }
        rows.add(new Row(bound(linear.getDomain(0), largest), bound(linear.getDomain(1), largest), row));
    }

    /** Lower <= sum of literals <= upper. */
    private void addSum(List<Integer> literals, double lower, double upper) {
        Map<Integer, Double> row = new LinkedHashMap<>();
        int negations = 0;
        for (int literal : literals) {
            // CP-SAT writes the negation of variable i as -i - 1
            row.merge(literal >= 0 ? literal : -literal - 1, literal >= 0 ? 1.0 : -1.0, Double::sum);
            negations += literal >= 0 ? 0 : 1;
        }
        rows.add(new Row(lower - negations, upper - negations, row));
    }

    private static double bound(long value, double largest) {
        if (value == Long.MIN_VALUE || value == Long.MAX_VALUE) {
            return value < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return (double) value / largest;
    }

    private static void requireInterval(List<Long> domain) {
        if (domain.size() != 2) {
            throw new IllegalArgumentException("values %s have gaps".formatted(domain));
        }
    }
}
