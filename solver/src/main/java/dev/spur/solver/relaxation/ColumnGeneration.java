package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.ParallelLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Column generation for the Lagrangian dual: minimizes the dual bound over the prices of the coupling constraints.
 * Trial prices stay near the best prices so far ({@link DualTrustRegion}).
 *
 * <p>At any prices p >= 0, p * capacity plus the sum of the maximum reduced costs of the subproblems is an upper bound
 * on every plan (Lagrangian relaxation).
 */
public final class ColumnGeneration {
    /** Number of candidates below which a second thread costs more time than it saves. */
    private static final int WORTH_PARALLEL = 20_000;

    /** Initial limit of states per subproblem: inexact solutions are good columns until prices are nearly optimal. */
    private static final int INITIAL_STATES = 100;

    private static final int MAX_STATES = 2_000;
    /** Minimum improvement of the master by the columns of a pass, as a share of the gap between master and bound. */
    private static final double MIN_IMPROVEMENT = 0.5;

    private final CouplingConstraints constraints;
    private final List<Subproblem> subproblems;
    private final boolean parallel;
    private final int[] longestFirst;
    private final double[] capacity;
    /** Rows of quotas and caps that subproblems enforce; their price is 0 for all other subproblems. */
    private final List<Integer> leftToBlocks = new ArrayList<>();

    private final DualTrustRegion trustRegion;
    private final RestrictedMaster master;
    private final Map<Subproblem, List<DivingHeuristic.WeightedColumn>> columns = new LinkedHashMap<>();
    private double[] best = new double[0];
    private double bound = Double.POSITIVE_INFINITY;
    private double mixture = Double.NEGATIVE_INFINITY;
    private int passes;
    private int maxStates = INITIAL_STATES;

    private ColumnGeneration(CouplingConstraints constraints) {
        this.constraints = constraints;
        this.subproblems = SubproblemFactory.of(constraints);
        for (Subproblem subproblem : subproblems) {
            if (subproblem instanceof KnapsackSubproblem jobSubproblem) {
                leftToBlocks.addAll(jobSubproblem.ownRows());
            }
        }
        this.parallel = constraints.candidates().size() >= WORTH_PARALLEL || !leftToBlocks.isEmpty();
        this.longestFirst = IntStream.range(0, subproblems.size())
                .boxed()
                .sorted(Comparator.comparingInt(b -> -subproblems.get(b).jobs().length))
                .mapToInt(Integer::intValue)
                .toArray();
        this.capacity = constraints.rows().stream()
                .mapToDouble(CouplingConstraints.Row::capacity)
                .toArray();
        double[] worthPerUnit = constraints.worthPerUnit();
        for (int r : leftToBlocks) {
            capacity[r] = 0;
            worthPerUnit[r] = 0;
        }
        this.trustRegion = new DualTrustRegion(worthPerUnit, DualLimits.of(constraints));
        this.master = new RestrictedMaster(constraints, subproblems.size());
    }

    /**
     * Searches until the relative gap between bound and master is at most {@code target}, or {@code stop} returns true.
     *
     * @param target relative gap by number of passes so far; evaluated before each pass
     * @param starts prices by row; the search starts from those with the lowest bound; at least one
     */
    public static DualSolution search(
            CouplingConstraints constraints,
            List<double[]> starts,
            IntToDoubleFunction target,
            int mostPasses,
            BooleanSupplier stop) {
        return new ColumnGeneration(constraints).run(starts, target, mostPasses, stop);
    }

    private DualSolution run(List<double[]> starts, IntToDoubleFunction target, int mostPasses, BooleanSupplier stop) {
        try {
            for (double[] start : starts) {
                evaluate(start.clone());
            }
            boolean continues = true;
            while (continues && passes < mostPasses && !stop.getAsBoolean()) {
                continues = step(target.applyAsDouble(passes));
            }
            return prices();
        } finally {
            master.delete();
        }
    }

    /**
     * Evaluates the optimal prices of the master within the trust region; returns false if no improvement is expected.
     */
    private boolean step(double target) {
        trustRegion.limit(master, best);
        if (!master.solve()) {
            return false;
        }
        double masterValue = master.worth();
        double[] next = master.prices();
        double predictedDecrease = bound - masterValue;
        if (predictedDecrease <= target * Math.abs(bound)) {
            if (trustRegion.holdsBack(next) && trustRegion.widen()) {
                return true;
            }
            mixture = masterValue;
            return false;
        }
        double before = bound;
        Evaluation evaluation = evaluate(next);
        trustRegion.learn(predictedDecrease, before - evaluation.bound());
        boolean improves = evaluation.worth() - masterValue > MIN_IMPROVEMENT * (evaluation.bound() - masterValue);
        boolean mayRefine = maxStates < MAX_STATES;
        maxStates = improves ? maxStates : Math.min(MAX_STATES, maxStates * 2);
        return improves || mayRefine || bound < before;
    }

    /**
     * Result of one pass over all subproblems.
     *
     * @param bound upper bound on the objective value of every plan
     * @param worth Lagrangian value of the decisions found; equal to the bound if all of them are exact
     */
    private record Evaluation(double bound, double worth) {}

    private Evaluation evaluate(double[] prices) {
        passes++;
        leftToBlocks.forEach(r -> prices[r] = 0);
        trustRegion.clip(prices);
        makeClaimsFree(prices);
        Column[] columns = solve(prices, maxStates);
        double value = bound(prices, columns);
        double worth = value;
        for (int b = 0; b < columns.length; b++) {
            worth += columns[b].gain(prices) - columns[b].bound();
            if (columns[b].isFound()) {
                addColumn(b, columns[b]);
            }
        }
        if (value < bound) {
            bound = value;
            best = prices;
        }
        return new Evaluation(value, worth);
    }

    private void addColumn(int b, Column column) {
        int number = master.addColumn(b, column.worth(), column.use());
        Subproblem subproblem = subproblems.get(b);
        if (subproblem.jobs().length > 0) {
            columns.computeIfAbsent(subproblem, any -> new ArrayList<>())
                    .add(new DivingHeuristic.WeightedColumn(subproblem, number, column));
        }
    }

    /** Solves the subproblems again at the best prices, so that the decisions belong to these prices. */
    private DualSolution prices() {
        double boundAgain = bound(best, solve(best, MAX_STATES));
        DualDecisions decisions = new DualDecisions(constraints.jobs(), best);
        subproblems.forEach(subproblem -> subproblem.writeDecisions(decisions));
        ReducedCosts losses = new ReducedCosts(constraints, decisions.prices());
        return new DualSolution(
                best, decisions, round(decisions), boundAgain, Math.min(bound, boundAgain), mixture, passes, losses);
    }

    /**
     * Returns the decision of each job. With rows for single nodes or quotas, single decisions of the subproblems leave
     * more capacity unused than the convex combination of the master, which is rounded instead.
     */
    private int[] round(DualDecisions decisions) {
        if (leftToBlocks.isEmpty() && constraints.patternCapacity().blocks().isEmpty()) {
            return decisions.choice();
        }
        trustRegion.punishExcess(master, best);
        return DivingHeuristic.of(master, List.copyOf(columns.values()), decisions.choice());
    }

    private Column[] solve(double[] prices, int maxStates) {
        Column[] columns = new Column[subproblems.size()];
        if (parallel) {
            ParallelLoop.each(
                    columns.length,
                    i -> columns[longestFirst[i]] =
                            subproblems.get(longestFirst[i]).solve(prices, maxStates));
        } else {
            Arrays.setAll(columns, b -> subproblems.get(b).solve(prices, maxStates));
        }
        return columns;
    }

    private double bound(double[] prices, Column[] columns) {
        double bound = 0;
        for (int r = 0; r < prices.length; r++) {
            bound += prices[r] * capacity[r];
        }
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            double price = prices[claim.cover()] - sum(claim.counts(), prices);
            bound += claim.min() * price;
        }
        for (Column column : columns) {
            bound += column.bound();
        }
        return bound;
    }

    /**
     * Lowers prices until the relaxation is bounded in every claim: the price of the covered use must not exceed the
     * price of the rows in which the claim counts.
     */
    private void makeClaimsFree(double[] prices) {
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            prices[claim.cover()] = Math.min(prices[claim.cover()], sum(claim.counts(), prices));
        }
    }

    private static double sum(List<Integer> rows, double[] prices) {
        double sum = 0;
        for (int r : rows) {
            sum += prices[r];
        }
        return sum;
    }
}
