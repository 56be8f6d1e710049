package dev.spur.policies.monolithic;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.nativelib.SolverFactory;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.Solution;
import java.util.Arrays;

/**
 * SCIP, a MIP solver included in OR-Tools, on the program that CP-SAT solves otherwise. It uses one thread and counts
 * no deterministic work: a second counts as a unit of work, so a plan may differ from run to run.
 */
final class Scip {
    private Scip() {}

    /** Solves {@code program} to {@code gapTarget}, relative, or as far as the work and time of {@code budget} go. */
    static Solution solve(RoundProgram program, SolveBudget budget, double gapTarget) {
        LinearModel model = LinearModel.withScaledRows(program);
        MPSolver solver = SolverFactory.scip();
        try {
            MPVariable[] variables = model.passTo(solver);
            MPSolverParameters parameters = new MPSolverParameters();
            parameters.setDoubleParam(MPSolverParameters.DoubleParam.RELATIVE_MIP_GAP, gapTarget);
            solver.setTimeLimit(Math.max(1, (long) (1000 * Math.min(budget.work(), budget.wallSeconds()))));
            long start = System.nanoTime();
            MPSolver.ResultStatus status = solver.solve(parameters);
            double seconds = (System.nanoTime() - start) / 1e9;
            return switch (status) {
                case OPTIMAL, FEASIBLE ->
                    model.solution(
                            Arrays.stream(variables)
                                    .mapToDouble(MPVariable::solutionValue)
                                    .toArray(),
                            solver.objective().value(),
                            solver.objective().bestBound(),
                            status == MPSolver.ResultStatus.OPTIMAL,
                            seconds);
                case INFEASIBLE -> new Solution(Solution.End.INFEASIBLE, null, Double.NEGATIVE_INFINITY, seconds);
                default -> new Solution(Solution.End.TIME_LIMIT, null, Double.POSITIVE_INFINITY, seconds);
            };
        } finally {
            solver.delete();
        }
    }
}
