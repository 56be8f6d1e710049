package dev.spur.policies.monolithic;

import com.google.ortools.modelbuilder.ModelBuilderHelper;
import com.google.ortools.sat.ConstraintProto;
import com.google.ortools.sat.CpModelProtoOrBuilder;
import com.google.ortools.sat.CpObjectiveProto;
import com.google.ortools.sat.IntegerVariableProto;
import com.google.ortools.sat.LinearConstraintProto;
import java.util.List;

/**
 * Converter of a CP-SAT model to the linear model of MIP solvers. Variables keep their indices. A literal x becomes x,
 * its negation 1 - x. Each row is divided by its largest coefficient, since such solvers compare with an absolute
 * tolerance. Hints are omitted: HiGHS in OR-Tools 9.15 crashes on them.
 */
final class LinearModelConverter {
    private final ModelBuilderHelper rows = new ModelBuilderHelper();

    /**
     * @param unit divisor of the objective
     * @throws IllegalArgumentException if {@code program} contains a constraint that is not a linear row over all
     *     integer values between two bounds
     */
    LinearModelConverter(CpModelProtoOrBuilder program, double unit) {
        program.getVariablesList().forEach(this::addVariable);
        program.getConstraintsList().forEach(this::addRow);
        setObjective(program.getObjective(), unit);
    }

    ModelBuilderHelper rows() {
        return rows;
    }

    private void addVariable(IntegerVariableProto variable) {
        requireInterval(variable.getDomainList());
        int index = rows.addVar();
        rows.setVarLowerBound(index, (double) variable.getDomain(0));
        rows.setVarUpperBound(index, (double) variable.getDomain(1));
        rows.setVarIntegrality(index, true);
    }

    private void addRow(ConstraintProto constraint) {
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
        for (long coefficient : linear.getCoeffsList()) {
            largest = Math.max(largest, (double) Math.abs(coefficient));
        }
        int row = rows.addLinearConstraint();
        for (int i = 0; i < linear.getVarsCount(); i++) {
            // a variable may occur twice
            rows.safeAddConstraintTerm(row, linear.getVars(i), (double) linear.getCoeffs(i) / largest);
        }
        rows.setConstraintLowerBound(row, bound(linear.getDomain(0), largest));
        rows.setConstraintUpperBound(row, bound(linear.getDomain(1), largest));
    }

    /** Lower <= sum of literals <= upper. */
    private void addSum(List<Integer> literals, double lower, double upper) {
        int row = rows.addLinearConstraint();
        int negations = 0;
        for (int literal : literals) {
            // CP-SAT writes the negation of variable i as -i - 1
            rows.safeAddConstraintTerm(row, literal >= 0 ? literal : -literal - 1, literal >= 0 ? 1 : -1);
            negations += literal >= 0 ? 0 : 1;
        }
        rows.setConstraintLowerBound(row, lower - negations);
        rows.setConstraintUpperBound(row, upper - negations);
    }

    private void setObjective(CpObjectiveProto objective, double unit) {
        // CP-SAT minimizes, and states a maximum by a scaling factor of -1
        double factor = objective.getScalingFactor() == 0 ? 1 : objective.getScalingFactor();
        rows.setMaximize(factor < 0);
        for (int i = 0; i < objective.getVarsCount(); i++) {
            rows.setVarObjectiveCoefficient(objective.getVars(i), factor * (double) objective.getCoeffs(i) / unit);
        }
        rows.setObjectiveOffset(factor * objective.getOffset() / unit);
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
