package dev.spur.solver.heuristic;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.NeighborhoodProgram;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.VariableFixing;
import dev.spur.solver.relaxation.CouplingConstraints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Solve of one neighborhood. The plan changes only when the result is {@linkplain #takeOver taken over}, so that
 * disjoint neighborhoods can be solved in parallel.
 */
final class NeighborhoodSolve {
    /** Maximum number of candidates of a job in addition to the present one. */
    private static final int WAYS = 8;

    private final CouplingConstraints constraints;
    private final PlanState plan;
    private final GapDecomposition gapDecomposition;
    private final Neighborhood neighborhood;
    private final Map<Integer, int[]> now;
    private final NeighborhoodProgram program;

    private @Nullable Map<Integer, List<Integer>> found;

    /** @param mustRun true by index of the job if it may not wait */
    NeighborhoodSolve(
            CandidateSet candidates,
            CouplingConstraints constraints,
            PlanState plan,
            GapDecomposition gapDecomposition,
            boolean[] mustRun,
            Neighborhood neighborhood) {
        this.constraints = constraints;
        this.plan = plan;
        this.gapDecomposition = gapDecomposition;
        this.neighborhood = neighborhood;
        this.now = neighborhood.now();
        Map<Integer, List<Integer>> nodes = new HashMap<>();
        neighborhood
                .jobs()
                .forEach(
                        j -> nodes.put(j, Arrays.stream(plan.nodesOf(j)).boxed().toList()));
        PartialPlacement presentPlacement = new PartialPlacement(plan.choice(), nodes);
        Map<Integer, int[]> open = new LinkedHashMap<>();
        neighborhood.jobs().forEach(j -> open.put(j, choices(j)));
        List<Obligation> obligations = neighborhood.jobs().stream()
                .filter(j -> mustRun[j])
                .map(j -> new Obligation(j, IntStream.of(choices(j)).boxed().toList()))
                .toList();
        neighborhood.jobs().forEach(plan::remove);
        VariableFixing fixing =
                new VariableFixing(candidates, open, plan.choice(), plan.residual(), constraints.restarts());
        this.program = new NeighborhoodProgram(fixing, obligations, neighborhood.nodes());
        program.hint(presentPlacement);
        now.forEach(plan::putOn);
    }

    /**
     * Returns the present candidate of job {@code j}, and those with the largest reduced cost that could fit into the
     * neighborhood.
     */
    private int[] choices(int j) {
        int now = plan.choiceOf(j);
        IntStream others = constraints
                .candidatesOf(j)
                .filter(c -> c != now)
                .filter(this::isWithinNodes)
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -gapDecomposition.reducedCost(c)))
                .limit(WAYS)
                .mapToInt(Integer::intValue);
        return now < 0
                ? others.toArray()
                : IntStream.concat(IntStream.of(now), others).toArray();
    }

    /** Returns whether candidate {@code c} has no fixed nodes, or all of them are in the neighborhood. */
    private boolean isWithinNodes(int c) {
        return Arrays.stream(plan.demand(c).nodes()).allMatch(neighborhood.nodes()::contains);
    }

    /**
     * Searches for a better solution.
     *
     * @param work deterministic work units at most
     * @param gap distance from the optimum, in utility, at which a solution suffices
     */
    void solve(SolveBudget budget, double work, double gap) {
        found = program.solve(budget, work, gap);
    }

    /** Returns the deterministic work units used. */
    double work() {
        return program.work();
    }

    /** Returns whether no choice of the neighborhood is better than the solution by more than the gap. */
    boolean isExhausted() {
        return program.isExhausted();
    }

    /**
     * Takes over the solution if it is better and still compatible with the rest of the plan. Other neighborhoods may
     * have used the free quotas, caps, aggregation slots and restarts. Returns the increase of the objective value.
     */
    double takeOver() {
        if (found == null || worthOf(found.keySet()) <= worthOf(now.keySet())) {
            return 0;
        }
        neighborhood.jobs().forEach(j -> {
            gapDecomposition.invalidate(j);
            plan.remove(j);
        });
        boolean fits = plan.putAll(found);
        if (fits && plan.restarts() > constraints.restarts().limit()) {
            neighborhood.jobs().forEach(plan::remove);
            fits = false;
        }
        if (!fits) {
            now.forEach(plan::putOn);
        }
        neighborhood.jobs().forEach(gapDecomposition::invalidate);
        return fits ? worthOf(found.keySet()) - worthOf(now.keySet()) : 0;
    }

    private double worthOf(Set<Integer> chosen) {
        return chosen.stream().mapToDouble(constraints::worth).sum();
    }
}
