package dev.spur.solver.solve;

import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.nativelib.SolverFactory;
import dev.spur.solver.program.RoundProgram;

/** Runs CP-SAT on a program within a budget. */
public final class CpSat {
    /**
     * Share of the time limit from which the clock ended a solve of several workers: CP-SAT stops before a step that
     * could take longer.
     */
    private static final double CLOCK_SHARE = 0.8;

    /** Deterministic work units of probing in {@link #prove}. */
    private static final double SHORT_PROBING = 0.1;

    private CpSat() {}

    /** Solves {@code program} to {@code gapTarget}, relative, or as far as {@code budget} goes. */
    public static Solution solve(RoundProgram program, SolveBudget budget, double gapTarget) {
        return solve(SolverFactory.cpSat(), program, budget, gapTarget);
    }

    /**
     * Solves {@code program} with a short presolve. With one worker and some thousand candidates, CP-SAT 9.15 lowers
     * the bound of the root after about 0.5 instead of 1 s.
     */
    public static Solution prove(RoundProgram program, SolveBudget budget, double gapTarget) {
        CpSolver solver = SolverFactory.cpSat();
        solver.getParameters()
                .setSymmetryLevel(0)
                .setMaxPresolveIterations(1)
                .setPresolveProbingDeterministicTimeLimit(SHORT_PROBING);
        return solve(solver, program, budget, gapTarget);
    }

    private static Solution solve(CpSolver solver, RoundProgram program, SolveBudget budget, double gapTarget) {
        solver.getParameters()
                .setMaxDeterministicTime(budget.work())
                .setMaxTimeInSeconds(budget.wallSeconds())
                .setNumWorkers(budget.workers())
                .setInterleaveSearch(budget.workers() > 1)
                .setRandomSeed(budget.seed())
                .setLinearizationLevel(RoundProgram.ALL_ROWS)
                .setRelativeGapLimit(gapTarget);
        CpSolverStatus status = solver.solve(program.model());
        Solution.End limit = limit(solver.response().getDeterministicTime(), solver.wallTime(), budget);
        double work = work(solver.response().getDeterministicTime(), limit, budget);
        return switch (status) {
            case OPTIMAL, FEASIBLE ->
                new Solution(
                        end(status, solver, limit, gapTarget),
                        program.choice(solver::booleanValue),
                        program.sharedPlaces(solver),
                        bound(solver, program),
                        work);
            case INFEASIBLE -> new Solution(Solution.End.INFEASIBLE, null, Double.NEGATIVE_INFINITY, work);
            case UNKNOWN -> new Solution(limit, null, Double.POSITIVE_INFINITY, work);
            case MODEL_INVALID, UNRECOGNIZED ->
                throw new IllegalStateException("CP-SAT rejects the program with the rows %s: %s"
                        .formatted(program.rowsByConstraint(), program.model().validate()));
        };
    }

    private static Solution.End end(CpSolverStatus status, CpSolver solver, Solution.End limit, double gapTarget) {
        double objective = solver.objectiveValue();
        double open = solver.bestObjectiveBound() - objective;
        if (open < 1) {
            return Solution.End.OPTIMAL;
        }
        boolean withinGap =
                status == CpSolverStatus.OPTIMAL || open <= gapTarget * Math.max(1, Math.abs(objective)) * 1.000001;
        return withinGap ? Solution.End.GAP_LIMIT : limit;
    }

    /**
     * Returns the limit that ended a solve without a proof.
     *
     * @param total work of all workers; CP-SAT limits the work of each
     */
    static Solution.End limit(double total, double seconds, SolveBudget budget) {
        boolean isWorkSpent = total >= budget.work() * 0.999;
        boolean isTimeSpent = budget.workers() > 1 && seconds >= CLOCK_SHARE * budget.wallSeconds();
        return isWorkSpent && !isTimeSpent ? Solution.End.WORK_LIMIT : Solution.End.TIME_LIMIT;
    }

    /** Returns the work of one worker; that of the presolve, which all of them share, makes it uncertain. */
    static double work(double total, Solution.End limit, SolveBudget budget) {
        double each = total / budget.workers();
        return limit == Solution.End.WORK_LIMIT ? Math.max(each, budget.work()) : each;
    }

    private static double bound(CpSolver solver, RoundProgram program) {
        return solver.bestObjectiveBound() / program.scale() + program.roundingError();
    }
}
