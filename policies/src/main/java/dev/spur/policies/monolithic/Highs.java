package dev.spur.policies.monolithic;

import com.sun.jna.Pointer;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.Solution;
import java.io.IOException;
import java.nio.file.Path;

/**
 * HiGHS, a MIP solver, on the program that CP-SAT solves otherwise. It counts no deterministic work: a second counts as
 * a unit of work, so a plan may differ from run to run.
 *
 * <p>The interface of OR-Tools 9.15 to HiGHS is not used. It returns the objective value as the bound after a stop at
 * the gap target, and no solution after a stop at the time limit.
 */
final class Highs {
    /** Absolute value up to which HiGHS ignores a coefficient: the lowest that it accepts. */
    private static final double IGNORED = 1e-12;

    private static final int SUCCESS = 0;
    private static final int ERROR = -1;
    private static final int OPTIMAL = 7;
    private static final int INFEASIBLE = 8;
    private static final int UNBOUNDED_OR_INFEASIBLE = 9;
    private static final int FEASIBLE_POINT = 2;

    private final HighsLibrary highs;
    private final Pointer solver;
    private final LinearModel model;

    private Highs(HighsLibrary highs, Pointer solver, LinearModel model) {
        this.highs = highs;
        this.solver = solver;
        this.model = model;
    }

    /**
     * Solves {@code program} to {@code gapTarget}, relative, or as far as the work and time of {@code budget} go.
     *
     * @throws IllegalStateException if HiGHS rejects the program, or is not available on this machine
     */
    static Solution solve(RoundProgram program, SolveBudget budget, double gapTarget) {
        HighsLibrary highs = HighsLibrary.load();
        Pointer solver = highs.create();
        try {
            return new Highs(highs, solver, LinearModel.withScaledRows(program)).solve(budget, gapTarget);
        } finally {
            // This also ends the worker threads; with them, a solve with another number of workers fails.
            highs.destroy(solver);
        }
    }

    /**
     * Writes {@code program} to {@code file} in MPS format, with integer rows and utilities in the objective.
     *
     * @param file name that ends with {@code .mps}
     * @throws IOException if the file cannot be written
     */
    static void write(RoundProgram program, Path file) throws IOException {
        HighsLibrary highs = HighsLibrary.load();
        Pointer solver = highs.create();
        try {
            Highs model = new Highs(highs, solver, LinearModel.withIntegerRows(program));
            model.require(highs.setBoolOptionValue(solver, "output_flag", 0));
            model.require(model.model.passTo(highs, solver));
            if (highs.writeModel(solver, file.toString()) == ERROR) {
                throw new IOException(
                        "HiGHS cannot write %s. Choose a folder that exists and is writable".formatted(file));
            }
        } finally {
            highs.destroy(solver);
        }
    }

    private Solution solve(SolveBudget budget, double gapTarget) {
        require(highs.setBoolOptionValue(solver, "output_flag", 0));
        require(highs.setDoubleOptionValue(solver, "time_limit", Math.min(budget.work(), budget.wallSeconds())));
        require(highs.setDoubleOptionValue(solver, "mip_rel_gap", gapTarget));
        require(highs.setDoubleOptionValue(solver, "small_matrix_value", IGNORED));
        require(highs.setIntOptionValue(solver, "threads", budget.workers()));
        require(highs.setIntOptionValue(solver, "random_seed", budget.seed() & Integer.MAX_VALUE));
        require(model.passTo(highs, solver));
        require(model.passHintTo(highs, solver));
        require(highs.run(solver));
        int status = highs.getModelStatus(solver);
        double seconds = highs.getRunTime(solver);
        return status == INFEASIBLE || status == UNBOUNDED_OR_INFEASIBLE
                ? new Solution(Solution.End.INFEASIBLE, null, Double.NEGATIVE_INFINITY, seconds)
                : solution(status, seconds);
    }

    private Solution solution(int status, double seconds) {
        boolean isEmpty = model.variables() == 0;
        double bound = isEmpty ? model.offset() : info("mip_dual_bound");
        int[] point = {isEmpty ? FEASIBLE_POINT : 0};
        require(highs.getIntInfoValue(solver, "primal_solution_status", point));
        if (point[0] != FEASIBLE_POINT) {
            return new Solution(Solution.End.TIME_LIMIT, null, model.utility(bound), seconds);
        }
        double[] values = new double[model.variables()];
        require(highs.getSolution(solver, values, null, null, null));
        double objective = isEmpty ? bound : info("objective_function_value");
        return model.solution(values, objective, bound, status == OPTIMAL, seconds);
    }

    /** Returns a figure of the last solve; positive infinity if HiGHS does not know it. */
    private double info(String name) {
        double[] value = new double[1];
        return highs.getDoubleInfoValue(solver, name, value) == SUCCESS ? value[0] : Double.POSITIVE_INFINITY;
    }

    private void require(int status) {
        if (status == ERROR) {
            throw new IllegalStateException(
                    "HiGHS fails on the program of %d variables (model status %d). Use another policy, such as cp-sat."
                            .formatted(model.variables(), highs.getModelStatus(solver)));
        }
    }
}
