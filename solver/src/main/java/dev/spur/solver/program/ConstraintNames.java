package dev.spur.solver.program;

import com.google.ortools.sat.Constraint;
import com.google.ortools.sat.CpModel;
import dev.spur.model.round.RoundConstraint;
import java.util.EnumMap;
import java.util.Map;

/** Names of the rows of a program: each is named after the constraint of the round that it states. */
final class ConstraintNames {
    private ConstraintNames() {}

    /** Names {@code row} after {@code roundConstraint}. */
    static void set(Constraint row, RoundConstraint roundConstraint) {
        row.getBuilder().setName(roundConstraint.name());
    }

    /** Returns the number of rows by constraint. */
    static Map<RoundConstraint, Integer> counts(CpModel model) {
        Map<RoundConstraint, Integer> counts = new EnumMap<>(RoundConstraint.class);
        model.getBuilder()
                .getConstraintsList()
                .forEach(row -> counts.merge(RoundConstraint.valueOf(row.getName()), 1, Integer::sum));
        return counts;
    }
}
