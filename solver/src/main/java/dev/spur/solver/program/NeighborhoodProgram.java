package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.nativelib.NativeSolver;
import dev.spur.solver.nativelib.SolverFactory;
import dev.spur.solver.placement.ResidualCluster;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Integer program of a neighborhood: a few jobs on a few nodes, with all other jobs fixed. */
public final class NeighborhoodProgram {
    static {
        NativeSolver.load();
    }

    /** Sum of the largest utility of every job, in units of the objective. */
    private static final double OBJECTIVE_RANGE = 4e9;

    /**
     * Level of CP-SAT at which the linear relaxation contains every row, with cuts. It solves neighborhoods in a
     * fraction of the work.
     */
    private static final int ALL_ROWS = 2;

    private final CpModel program = new CpModel();
    private final CpSolver solver = SolverFactory.cpSat();
    private final CandidateSet candidates;
    private final Map<Integer, BoolVar> chosen = new LinkedHashMap<>();
    private final NeighborhoodNodeCapacity nodes;
    private final double scale;

    /**
     * @param room residual cluster without all other jobs
     * @param ways candidates by open job; a kept one only if all its nodes are among {@code nodes}
     * @param mustRun true by index of the job if it may not wait
     * @param nodes nodes on which pieces may be put
     */
    public NeighborhoodProgram(
            CandidateSet candidates,
            ResidualCluster room,
            Map<Integer, int[]> ways,
            boolean[] mustRun,
            Collection<Integer> nodes) {
        this.candidates = candidates;
        ways.forEach((j, own) -> eachJobRunsInAtMostOneConfiguration(own, mustRun[j]));
        this.scale = OBJECTIVE_RANGE
                / Math.max(
                        1e-9,
                        ways.values().stream().mapToDouble(this::largestWorth).sum());
        this.nodes = new NeighborhoodNodeCapacity(program, candidates, room, chosen, nodes);
        aggregationIsNotOversubscribed(room);
        new NeighborhoodQuotas(program, candidates, room, chosen).add();
        NeighborhoodGroupCaps.add(program, candidates, room, chosen);
        LinearExprBuilder worth = LinearExpr.newBuilder();
        chosen.forEach((c, x) -> worth.addTerm(x, Math.round(candidates.get(c).utility() * scale)));
        program.maximize(worth);
    }

    /** Chosen candidates <= 1, or = 1 for a job that must run. */
    private void eachJobRunsInAtMostOneConfiguration(int[] own, boolean mustRun) {
        BoolVar[] literals = new BoolVar[own.length];
        for (int i = 0; i < own.length; i++) {
            literals[i] = program.newBoolVar("x[%d]".formatted(own[i]));
            chosen.put(own[i], literals[i]);
        }
        if (mustRun) {
            program.addExactlyOne(literals);
        } else {
            program.addAtMostOne(literals);
        }
    }

    private double largestWorth(int[] own) {
        return IntStream.of(own)
                .mapToDouble(c -> Math.abs(candidates.get(c).utility()))
                .max()
                .orElse(0);
    }

    /** For each pool: thousandths of aggregation slots of chosen candidates <= remaining thousandths. */
    private void aggregationIsNotOversubscribed(ResidualCluster room) {
        Map<String, LinearExprBuilder> used = new LinkedHashMap<>();
        chosen.forEach((c, x) -> {
            long taken = candidates.get(c).configuration().aggregationThousandths();
            if (taken > 0) {
                used.computeIfAbsent(candidates.get(c).configuration().pool(), p -> LinearExpr.newBuilder())
                        .addTerm(x, taken);
            }
        });
        used.forEach((pool, sum) -> program.addLessOrEqual(sum, room.aggregation(pool)));
    }

    /** Jobs of the neighborhood that could keep their allocation but do not <= {@code limit}. */
    public void restartsStayWithin(long limit) {
        LinearExprBuilder lost = LinearExpr.newBuilder();
        chosen.forEach((c, x) -> {
            if (candidates.get(c).kept()) {
                lost.addTerm(x, -1).add(1);
            }
        });
        program.addLessOrEqual(lost, limit);
    }

    /** Passes the present choice to the solver as a hint: candidates, and the nodes of those that are not kept. */
    public void hint(Map<Integer, List<Integer>> now) {
        chosen.forEach((c, x) -> program.addHint(x, now.containsKey(c)));
        nodes.hint(now);
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
                .setLinearizationLevel(ALL_ROWS)
                .setSymmetryLevel(0)
                // Without probing, CP-SAT may report a feasible program as infeasible. Here this only costs a better
                // plan.
                .setCpModelProbingLevel(0)
                .setAbsoluteGapLimit(Math.max(1, gap * scale));
        CpSolverStatus status = solver.solve(program);
        if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.FEASIBLE) {
            return null;
        }
        List<Integer> found = chosen.entrySet().stream()
                .filter(entry -> solver.booleanValue(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return nodes.placed(found, solver::value);
    }

    /** Returns whether the neighborhood contains no better choice. */
    public boolean isExhausted() {
        return solver.response().getStatus() == CpSolverStatus.OPTIMAL;
    }

    /** Returns the deterministic work units that {@link #solve} used. */
    public double work() {
        return solver.response().getDeterministicTime();
    }
}
