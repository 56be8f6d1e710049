package dev.spur.solver.heuristic;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualDecisions;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.solve.RemainingBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;

/**
 * Large neighborhood search (Shaw, "Using constraint programming and local search methods to solve vehicle routing
 * problems", 1998). It improves a plan where its losses against the dual bound are largest. The program solves a few
 * jobs and nodes with large losses again, with all other jobs fixed.
 *
 * <p>A recently solved neighborhood counts half.
 */
public final class LargeNeighborhoodSearch {
    private static final int FIRST_SIZE = 30;
    private static final int MIN_SIZE = 10;
    /** Maximum number of jobs of a neighborhood, and deterministic work units per solve. */
    private static final int MAX_SIZE = 200;

    private static final double WORK = 0.2;
    /** The same limits once smaller neighborhoods bring no improvement. */
    private static final int HARDER_SIZE = 1000;

    private static final double HARDER_WORK = 0.8;
    /**
     * Number of neighborhoods solved at a time. It is equal on every machine, so that the plan does not depend on the
     * number of cores.
     */
    private static final int AT_ONCE = 2;
    /** Number of consecutive neighborhoods without improvement after which the search ends. */
    private static final int MAX_IDLE = 40;

    private static final double NOTHING = 1e-9;
    /** Differences between losses below this share of the mean utility of a job are ignored. */
    private static final double NEAR = 0.02;

    private final CandidateSet candidates;
    private final CouplingConstraints constraints;
    private final DualSolution dualSolution;
    private final PlanState plan;
    private final GapDecomposition gapDecomposition;
    private final double gapTarget;
    private final RemainingBudget remainingBudget;
    private final boolean[] mustRun;
    private final List<DualDecisions.JointSubproblem> jointSubproblems;
    private final double[] freshnessOfJob;
    private final double[] freshnessOfNode;
    private final double[] freshnessOfBlock;
    private double size = FIRST_SIZE;
    private double worth;

    public LargeNeighborhoodSearch(
            CandidateSet candidates,
            CouplingConstraints constraints,
            DualSolution dualSolution,
            PlanState plan,
            double gapTarget,
            RemainingBudget budget) {
        this.candidates = candidates;
        this.constraints = constraints;
        this.dualSolution = dualSolution;
        this.plan = plan;
        this.gapDecomposition = new GapDecomposition(candidates, constraints, dualSolution, plan);
        this.gapTarget = gapTarget;
        this.remainingBudget = budget;
        this.jointSubproblems = dualSolution.decisions().jointSubproblems();
        this.mustRun = new boolean[candidates.jobs()];
        for (int j = 0; j < mustRun.length; j++) {
            mustRun[j] = !constraints.mayWait(j);
            worth += plan.choiceOf(j) < 0 ? 0 : constraints.worth(plan.choiceOf(j));
        }
        this.freshnessOfJob = new double[candidates.jobs()];
        this.freshnessOfNode = new double[gapDecomposition.nodes()];
        this.freshnessOfBlock = new double[jointSubproblems.size()];
    }

    /**
     * Searches until the gap target is reached, the work budget is exhausted, neighborhoods stop improving, or
     * {@code stop} is true after a pair of neighborhoods; returns the objective value of the plan.
     */
    public double run(BooleanSupplier stop) {
        return run(MAX_SIZE, WORK, AT_ONCE, stop);
    }

    /** Searches with larger neighborhoods and more work per solve; returns the objective value of the plan. */
    public double runHarder() {
        return run(HARDER_SIZE, HARDER_WORK, AT_ONCE, () -> false);
    }

    /** Searches like {@link #run}, with one neighborhood at a time. */
    public double runOnOneCore(BooleanSupplier stop) {
        return run(MAX_SIZE, WORK, 1, stop);
    }

    private double run(int mostSize, double work, int atOnce, BooleanSupplier stop) {
        Arrays.fill(freshnessOfJob, 1);
        Arrays.fill(freshnessOfNode, 1);
        Arrays.fill(freshnessOfBlock, 1);
        int idle = 0;
        while (remainingBudget.isLeft()
                && !stop.getAsBoolean()
                && idle < MAX_IDLE
                && dualSolution.bound() - worth > gapTarget * Math.abs(dualSolution.bound())) {
            double before = worth;
            List<Neighborhood> neighborhoods = next(atOnce);
            if (neighborhoods.get(0).jobs().isEmpty()) {
                // Every job with a loss has been in many neighborhoods.
                break;
            }
            improve(neighborhoods, mostSize, work);
            idle = worth > before ? 0 : idle + neighborhoods.size();
        }
        return worth;
    }

    /** Returns the next {@code count} neighborhoods, which are disjoint. */
    private List<Neighborhood> next(int count) {
        List<Neighborhood> next = new ArrayList<>();
        next.add(next(next));
        while (next.size() < count) {
            Neighborhood another = next(next);
            if (another.jobs().isEmpty()) {
                return next;
            }
            next.add(another);
        }
        return next;
    }

    private Neighborhood next(List<Neighborhood> otherNeighborhoods) {
        Neighborhood next = new Neighborhood(candidates, plan, (int) size, otherNeighborhoods);
        largest(
                        gapDecomposition.nodes(),
                        v -> gapDecomposition.ofNode(v) * freshnessOfNode[v],
                        next::mayHaveNode,
                        size / 5)
                .forEach(next::addNode);
        for (int b : largest(
                jointSubproblems.size(),
                b -> gapDecomposition.of(jointSubproblems.get(b)) * freshnessOfBlock[b],
                b -> true,
                size / FIRST_SIZE)) {
            freshnessOfBlock[b] /= 2;
            Arrays.stream(jointSubproblems.get(b).subproblem().jobs())
                    .boxed()
                    .sorted(Comparator.comparingDouble(gapDecomposition::margin))
                    .limit((int) (size * 0.7))
                    .forEach(next::addJob);
        }
        largest(candidates.jobs(), j -> gapDecomposition.ofJob(j) * freshnessOfJob[j], next::mayHaveJob, size / 4)
                .forEach(next::addJob);
        for (int v : List.copyOf(next.nodes())) {
            for (int i = 0; i < plan.jobsByNode().size(v); i++) {
                next.addJob(plan.jobsByNode().get(v, i));
            }
        }
        if (!next.isFull()) {
            addWhoCouldGiveWay(next);
        }
        next.nodes().forEach(v -> freshnessOfNode[v] /= 2);
        next.jobs().forEach(j -> freshnessOfJob[j] /= 2);
        return next;
    }

    /**
     * Fills {@code neighborhood} up with exchange partners: jobs on the node classes that its jobs prefer, those with
     * the smallest loss by their second-best candidate first.
     */
    private void addWhoCouldGiveWay(Neighborhood neighborhood) {
        boolean[] desired = new boolean[candidates.clusterIndex().classes().size()];
        for (int j : neighborhood.jobs()) {
            int best = dualSolution.decisions().choice()[j];
            int nodeClass = best < 0 || best == plan.choiceOf(j)
                    ? -1
                    : candidates.get(best).nodeClass();
            if (nodeClass >= 0) {
                desired[nodeClass] = true;
            }
        }
        double near = NEAR * Math.abs(dualSolution.bound()) / candidates.jobs();
        largest(
                        candidates.jobs(),
                        j -> isOnNodesOf(desired, j) ? freshnessOfJob[j] / (near + gapDecomposition.margin(j)) : 0,
                        neighborhood::mayHaveJob,
                        size)
                .forEach(neighborhood::addJob);
    }

    private boolean isOnNodesOf(boolean[] classes, int j) {
        int nodeClass =
                plan.choiceOf(j) < 0 ? -1 : candidates.get(plan.choiceOf(j)).nodeClass();
        return nodeClass >= 0 && classes[nodeClass]; // A waiting job has no node class.
    }

    /**
     * Returns the numbers below {@code count} that pass {@code may} and have the largest scores above 0. Scores
     * descend; equal ones are in ascending order of number.
     *
     * @param max maximum number of results; at least one is returned if any number qualifies
     */
    private static List<Integer> largest(int count, IntToDoubleFunction score, IntPredicate may, double max) {
        int free = Math.max(1, (int) max);
        Comparator<Scored> smallestFirst =
                Comparator.comparingDouble(Scored::score).thenComparing(Scored::number, Comparator.reverseOrder());
        PriorityQueue<Scored> found = new PriorityQueue<>(smallestFirst);
        double min = NOTHING;
        for (int i = 0; i < count; i++) {
            double one = score.applyAsDouble(i);
            // The predicate is evaluated last, because it is the slowest.
            if (one > min && may.test(i)) {
                found.add(new Scored(i, one));
                if (found.size() > free) {
                    found.remove();
                }
                min = found.size() == free ? found.element().score() : NOTHING;
            }
        }
        return found.stream()
                .sorted(smallestFirst.reversed())
                .map(Scored::number)
                .toList();
    }

    private record Scored(int number, double score) {}

    private void improve(List<Neighborhood> neighborhoods, int mostSize, double work) {
        List<NeighborhoodSolve> searches = neighborhoods.stream()
                .map(neighborhood ->
                        new NeighborhoodSolve(candidates, constraints, plan, gapDecomposition, mustRun, neighborhood))
                .toList();
        SolveBudget budget = remainingBudget.share(1.0 / searches.size());
        double gap = 0.1 * gapTarget * Math.abs(dualSolution.bound());
        ParallelLoop.each(searches.size(), i -> searches.get(i).solve(budget, work, gap));
        for (NeighborhoodSolve search : searches) {
            remainingBudget.spend(search.work());
            size = search.isExhausted() ? Math.min(mostSize, size * 1.1) : Math.max(MIN_SIZE, size * 0.9);
            worth += search.takeOver();
        }
    }
}
