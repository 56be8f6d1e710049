package dev.spur.solver.program;

import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.nativelib.SolverFactory;
import dev.spur.solver.placement.PartialPlacement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Integer program of a neighborhood: a few jobs on a few nodes, with all other jobs fixed. */
public final class NeighborhoodProgram {
    private final RoundProgram program;
    private final CpSolver solver = SolverFactory.cpSat();

    /**
     * @param fixing the open jobs; one may keep its allocation only if all its nodes are among {@code nodes}
     * @param nodes nodes on which pieces may be put
     */
    public NeighborhoodProgram(VariableFixing fixing, List<Obligation> obligations, Collection<Integer> nodes) {
        this.program = new RoundProgram(fixing, nodes, Integer.MAX_VALUE);
        program.obligationsAreMet(obligations);
        program.maximizeWorth();
    }

    /** Passes the present choice to the solver as a hint. */
    public void hint(PartialPlacement presentPlacement) {
        program.hint(presentPlacement);
    }

    /**
     * Returns the best solution found: nodes by chosen candidate, one per piece of its shape, none for a kept one.
     * Returns null if none was found, or if pieces of one gang would share a node.
     *
     * @param budget total budget
     * @param work maximum deterministic work units of this solve
     * @param gap distance from the optimum, in utility, at which a solution suffices
     */
    public @Nullable Map<Integer, List<Integer>> solve(SolveBudget budget, double work, double gap) {
        solver.getParameters()
                .setMaxDeterministicTime(Math.min(work, budget.work()))
                .setMaxTimeInSeconds(budget.wallSeconds())
                .setNumWorkers(1)
                .setRandomSeed(budget.seed())
                .setLinearizationLevel(RoundProgram.ALL_ROWS)
                .setSymmetryLevel(0)
                // Without probing, CP-SAT may report a feasible program as infeasible. Here this only costs a better
                // plan.
                .setCpModelProbingLevel(0)
                .setAbsoluteGapLimit(Math.max(1, gap * program.scale()));
        CpSolverStatus status = solver.solve(program.model());
        if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.FEASIBLE) {
            return null;
        }
        return program.nodes().placements(solver);
    }

    /** Returns whether no choice of the neighborhood is better than the solution by more than the gap. */
    public boolean isExhausted() {
        return solver.response().getStatus() == CpSolverStatus.OPTIMAL;
    }

    /** Returns the deterministic work units that {@link #solve} used. */
    public double work() {
        return solver.response().getDeterministicTime();
    }
}
