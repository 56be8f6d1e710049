package dev.spur.solver.solve;

import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.nativelib.SolverFactory;
import dev.spur.solver.program.RoundProgram;

/** Runs CP-SAT on a program within a budget. */
public final class CpSat {
    private CpSat() {}

    /** Solves {@code program} to {@code gapTarget}, relative, or as far as {@code budget} goes. */
    public static Solution solve(RoundProgram program, SolveBudget budget, double gapTarget) {
        CpSolver solver = SolverFactory.cpSat();
        solver.getParameters()
                .setMaxDeterministicTime(budget.work())
                .setMaxTimeInSeconds(budget.wallSeconds())
                .setNumWorkers(budget.workers())
                .setInterleaveSearch(budget.workers() > 1)
                .setRandomSeed(budget.seed())
                .setRelativeGapLimit(gapTarget);
        CpSolverStatus status = solver.solve(program.model());
        double work = solver.response().getDeterministicTime();
        return switch (status) {
            case OPTIMAL, FEASIBLE ->
                new Solution(
                        end(status, solver, budget, gapTarget),
                        program.choice(solver::booleanValue),
                        bound(solver, program),
                        work);
            case INFEASIBLE -> new Solution(Solution.End.INFEASIBLE, null, Double.NEGATIVE_INFINITY, work);
            case UNKNOWN -> new Solution(endOf(work, budget), null, Double.POSITIVE_INFINITY, work);
            case MODEL_INVALID, UNRECOGNIZED ->
                throw new IllegalStateException(
                        "CP-SAT rejects the program: " + program.model().validate());
        };
    }

    private static Solution.End end(CpSolverStatus status, CpSolver solver, SolveBudget budget, double gapTarget) {
        double objective = solver.objectiveValue();
        double open = solver.bestObjectiveBound() - objective;
        if (open < 1) {
            return Solution.End.OPTIMAL;
        }
        boolean withinGap =
                status == CpSolverStatus.OPTIMAL || open <= gapTarget * Math.max(1, Math.abs(objective)) * 1.000001;
        return withinGap ? Solution.End.GAP_LIMIT : endOf(solver.response().getDeterministicTime(), budget);
    }

    private static Solution.End endOf(double work, SolveBudget budget) {
        return work >= budget.work() * 0.999 ? Solution.End.WORK_LIMIT : Solution.End.TIME_LIMIT;
    }

    private static double bound(CpSolver solver, RoundProgram program) {
        return solver.bestObjectiveBound() / program.scale() + program.roundingError();
    }
}
