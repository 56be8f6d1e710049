package dev.spur.policies.monolithic;

import com.google.ortools.modelbuilder.ModelSolverHelper;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.nativelib.SolverFactory;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.Solution;

/**
 * HiGHS, a MIP solver included in OR-Tools, on the program that CP-SAT solves otherwise. It counts no deterministic
 * work, so only the clock limits it, and a plan may differ from run to run.
 */
final class Highs {
    /** Relative correction of the bound, far above the floating-point tolerances of HiGHS. */
    private static final double TOLERANCE = 5e-7;

    private Highs() {}

    /** Solves {@code program} to {@code gapTarget}, relative, or as far as the time of {@code budget} goes. */
    static Solution solve(RoundProgram program, SolveBudget budget, double gapTarget) {
        LinearModelConverter mixed = new LinearModelConverter(program.model().getBuilder(), program.scale());
        ModelSolverHelper solver = SolverFactory.highs();
        solver.setTimeLimitInSeconds(budget.wallSeconds());
        solver.setSolverSpecificParameters(
                "output_flag=false\nlog_to_console=false\nmip_rel_gap=%s\nthreads=%d\nrandom_seed=%d"
                        .formatted(gapTarget, budget.workers(), budget.seed()));
        solver.solve(mixed.rows());
        double seconds = solver.getWallTime();
        return switch (solver.getStatus()) {
            case OPTIMAL, FEASIBLE -> solution(program, solver, gapTarget, seconds);
            case INFEASIBLE -> new Solution(Solution.End.INFEASIBLE, null, Double.NEGATIVE_INFINITY, seconds);
            default -> new Solution(Solution.End.TIME_LIMIT, null, Double.POSITIVE_INFINITY, seconds);
        };
    }

    private static Solution solution(RoundProgram program, ModelSolverHelper solver, double gapTarget, double seconds) {
        double worth = solver.getObjectiveValue();
        double bound = solver.getBestObjectiveBound();
        double proved = bound + TOLERANCE * Math.abs(bound) + program.roundingError();
        double open = bound - worth;
        Solution.End end = open <= TOLERANCE * Math.abs(bound)
                ? Solution.End.OPTIMAL
                : open <= gapTarget * Math.abs(bound) * (1 + TOLERANCE)
                        ? Solution.End.GAP_LIMIT
                        : Solution.End.TIME_LIMIT;
        return new Solution(
                end, program.choice(literal -> solver.getVariableValue(literal.getIndex()) > 0.5), proved, seconds);
    }
}
