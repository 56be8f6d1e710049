package dev.spur.solver.dual;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import dev.spur.solver.nativelib.SolverFactory;

/** Optimal value of a {@link GubProgram} by GLOP. */
final class GlopOptimum {
    private GlopOptimum() {}

    /** Returns the optimal value; negative infinity for an infeasible program. */
    static double of(GubProgram program) {
        return of(program, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the optimal value of the program of which each row may be exceeded, at {@code limit} times its scale for
     * each unit.
     */
    static double of(GubProgram program, double limit) {
        MPSolver solver = SolverFactory.glop();
        try {
            MPObjective objective = solver.objective();
            objective.setMaximization();
            MPConstraint[] rows = new MPConstraint[program.rows];
            for (int r = 0; r < rows.length; r++) {
                rows[r] = solver.makeConstraint(Double.NEGATIVE_INFINITY, program.capacity[r]);
                if (limit < Double.POSITIVE_INFINITY) {
                    MPVariable excess = solver.makeNumVar(0, Double.POSITIVE_INFINITY, "");
                    rows[r].setCoefficient(excess, -1);
                    objective.setCoefficient(excess, -limit * program.scale[r]);
                }
            }
            for (int i = 0; i < program.sets; i++) {
                MPConstraint set = solver.makeConstraint(program.total[i], program.total[i]);
                for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                    MPVariable x = solver.makeNumVar(0, Double.POSITIVE_INFINITY, "");
                    set.setCoefficient(x, 1);
                    objective.setCoefficient(x, program.value[m]);
                    for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                        rows[program.row[k]].setCoefficient(x, program.amount[k]);
                    }
                }
            }
            return solver.solve() == MPSolver.ResultStatus.OPTIMAL ? objective.value() : Double.NEGATIVE_INFINITY;
        } finally {
            solver.delete();
        }
    }
}
