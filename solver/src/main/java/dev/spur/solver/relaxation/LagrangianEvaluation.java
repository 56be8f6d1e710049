package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.ParallelLoop;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Evaluation of the Lagrangian at given prices: one solve of every subproblem, with a valid dual bound. */
public final class LagrangianEvaluation {
    /** Maximum number of states that the enumeration of a subproblem keeps. */
    private static final int STATES = 2_000;

    private LagrangianEvaluation() {}

    /**
     * Returns the decisions of all subproblems at {@code prices}, and their bound.
     *
     * @param prices price by row, at least 0, those of local quotas and caps included
     * @param desired candidate by job, -1 for waiting, for {@link DualSolution#roundedChoice}
     */
    public static DualSolution of(CouplingConstraints constraints, double[] prices, int[] desired) {
        List<Subproblem> subproblems = SubproblemFactory.of(constraints);
        double[] shared = prices.clone();
        double[] capacity = constraints.rows().stream()
                .mapToDouble(CouplingConstraints.Row::capacity)
                .toArray();
        for (Subproblem block : subproblems) {
            if (block instanceof KnapsackSubproblem jobSubproblem) {
                jobSubproblem.ownRows().forEach(r -> shared[r] = 0);
            }
        }
        Column[] columns = new Column[subproblems.size()];
        int[] longestFirst = IntStream.range(0, columns.length)
                .boxed()
                .sorted(Comparator.comparingInt(b -> -subproblems.get(b).jobs().length))
                .mapToInt(Integer::intValue)
                .toArray();
        ParallelLoop.each(
                columns.length,
                i -> columns[longestFirst[i]] = subproblems.get(longestFirst[i]).solve(shared, STATES));
        double bound = 0;
        for (int r = 0; r < shared.length; r++) {
            bound += shared[r] * capacity[r];
        }
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            double above = 0;
            for (int r : claim.counts()) {
                above += shared[r];
            }
            double price = shared[claim.cover()] - above;
            bound += price * (price > 0 ? claim.max() : claim.min());
        }
        for (Column column : columns) {
            bound += column.bound();
        }
        DualDecisions decisions = new DualDecisions(constraints.jobs(), shared);
        subproblems.forEach(subproblem -> subproblem.writeDecisions(decisions));
        ReducedCosts losses = new ReducedCosts(constraints, decisions.prices());
        return new DualSolution(shared, decisions, desired, bound, bound, bound, 1, losses);
    }
}
