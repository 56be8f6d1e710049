package dev.spur.solver.pricing;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.solve.RemainingBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;

/**
 * Improves a plan part by part, where it loses most against the bound: the program decides again a few jobs and nodes
 * with large losses, while all others stay as they are (large neighbourhood search: Shaw, "Using constraint programming
 * and local search methods to solve vehicle routing problems", 1998). A part that was just looked at counts half as
 * much the next time.
 */
final class LargeNeighborhoodSearch {
    private static final int FIRST_SIZE = 30;
    private static final int LEAST_SIZE = 10;
    /** Jobs of a neighbourhood and deterministic work units for it, at most. */
    private static final int MOST_SIZE = 200;

    private static final double WORK = 0.2;
    /** The same once such neighbourhoods bring nothing any more. */
    private static final int HARDER_SIZE = 1000;

    private static final double HARDER_WORK = 0.8;
    /** Parts that are decided at a time: as many on every machine, so that they come to the same plan. */
    private static final int AT_ONCE = 2;
    /** Neighbourhoods without a better plan after which they bring nothing any more. */
    private static final int MOST_IDLE = 40;

    private static final double NOTHING = 1e-9;
    /** Losses that differ by less than this share of what a job is worth on average are about alike. */
    private static final double NEAR = 0.02;

    private final CandidateSet candidates;
    private final CouplingConstraints rows;
    private final DualSolution prices;
    private final PartialSolution plan;
    private final GapDecomposition losses;
    private final double gapTarget;
    private final RemainingBudget effort;
    private final boolean[] mustRun;
    private final List<DualDecisions.JointSubproblem> together;
    private final double[] freshnessOfJob;
    private final double[] freshnessOfNode;
    private final double[] freshnessOfBlock;
    private double size = FIRST_SIZE;
    private double worth;

    LargeNeighborhoodSearch(
            CandidateSet candidates,
            CouplingConstraints rows,
            DualSolution prices,
            PartialSolution plan,
            double gapTarget,
            RemainingBudget effort) {
        this.candidates = candidates;
        this.rows = rows;
        this.prices = prices;
        this.plan = plan;
        this.losses = new GapDecomposition(candidates, rows, prices, plan);
        this.gapTarget = gapTarget;
        this.effort = effort;
        this.together = prices.settled().together();
        this.mustRun = new boolean[candidates.jobs()];
        for (int j = 0; j < mustRun.length; j++) {
            mustRun[j] = !rows.mayWait(j);
            worth += plan.choiceOf(j) < 0 ? 0 : rows.worth(plan.choiceOf(j));
        }
        this.freshnessOfJob = new double[candidates.jobs()];
        this.freshnessOfNode = new double[losses.nodes()];
        this.freshnessOfBlock = new double[together.size()];
    }

    /**
     * Searches until the gap target is reached, the effort is spent, or nothing seems to get better; returns what the
     * plan is worth then.
     */
    double run() {
        return run(MOST_SIZE, WORK);
    }

    /** The same with parts that may be larger and cost more. */
    double runHarder() {
        return run(HARDER_SIZE, HARDER_WORK);
    }

    private double run(int mostSize, double work) {
        Arrays.fill(freshnessOfJob, 1);
        Arrays.fill(freshnessOfNode, 1);
        Arrays.fill(freshnessOfBlock, 1);
        int idle = 0;
        while (effort.isLeft() && idle < MOST_IDLE && prices.bound() - worth > gapTarget * Math.abs(prices.bound())) {
            double before = worth;
            List<Neighborhood> parts = next();
            if (parts.get(0).jobs().isEmpty()) {
                // whoever loses anything has been looked at many times
                break;
            }
            improve(parts, mostSize, work);
            idle = worth > before ? 0 : idle + parts.size();
        }
        return worth;
    }

    /** The next parts, with nothing in common. */
    private List<Neighborhood> next() {
        List<Neighborhood> next = new ArrayList<>();
        next.add(next(next));
        while (next.size() < AT_ONCE) {
            Neighborhood another = next(next);
            if (another.jobs().isEmpty()) {
                return next;
            }
            next.add(another);
        }
        return next;
    }

    private Neighborhood next(List<Neighborhood> others) {
        Neighborhood next = new Neighborhood(candidates, plan, (int) size, others);
        largest(losses.nodes(), v -> losses.ofNode(v) * freshnessOfNode[v], next::mayHaveNode, size / 5)
                .forEach(next::addNode);
        for (int b : largest(
                together.size(), b -> losses.of(together.get(b)) * freshnessOfBlock[b], b -> true, size / FIRST_SIZE)) {
            freshnessOfBlock[b] /= 2;
            Arrays.stream(together.get(b).jobs().jobs())
                    .boxed()
                    .sorted(Comparator.comparingDouble(losses::margin))
                    .limit((int) (size * 0.7))
                    .forEach(next::addJob);
        }
        largest(candidates.jobs(), j -> losses.ofJob(j) * freshnessOfJob[j], next::mayHaveJob, size / 4)
                .forEach(next::addJob);
        for (int v : List.copyOf(next.nodes())) {
            losses.residents(v).forEach(next::addJob);
        }
        if (!next.isFull()) {
            addWhoCouldGiveWay(next);
        }
        next.nodes().forEach(v -> freshnessOfNode[v] /= 2);
        next.jobs().forEach(j -> freshnessOfJob[j] /= 2);
        return next;
    }

    /**
     * Fills {@code part} up with jobs that could give way: on nodes of the classes that its jobs would rather have,
     * those that lose least by their next best choice.
     */
    private void addWhoCouldGiveWay(Neighborhood part) {
        boolean[] wanted = new boolean[candidates.hardware().classes().size()];
        for (int j : part.jobs()) {
            int best = prices.settled().choice()[j];
            int nodeClass = best < 0 || best == plan.choiceOf(j)
                    ? -1
                    : candidates.get(best).nodeClass();
            if (nodeClass >= 0) {
                wanted[nodeClass] = true;
            }
        }
        double near = NEAR * Math.abs(prices.bound()) / candidates.jobs();
        largest(
                        candidates.jobs(),
                        j -> isOnNodesOf(wanted, j) ? freshnessOfJob[j] / (near + losses.margin(j)) : 0,
                        part::mayHaveJob,
                        size)
                .forEach(part::addJob);
    }

    private boolean isOnNodesOf(boolean[] classes, int j) {
        int nodeClass =
                plan.choiceOf(j) < 0 ? -1 : candidates.get(plan.choiceOf(j)).nodeClass();
        return nodeClass >= 0 && classes[nodeClass]; // whoever is on a node that is to be left has none
    }

    /**
     * Of the numbers below {@code count} that pass {@code may} those with the largest scores above 0, the largest first
     * and of equal ones the smaller number: at most {@code most}, but at least one if there is any.
     */
    private static List<Integer> largest(int count, IntToDoubleFunction score, IntPredicate may, double most) {
        int room = Math.max(1, (int) most);
        Comparator<Scored> smallestFirst =
                Comparator.comparingDouble(Scored::score).thenComparing(Scored::number, Comparator.reverseOrder());
        PriorityQueue<Scored> found = new PriorityQueue<>(smallestFirst);
        double least = NOTHING;
        for (int i = 0; i < count; i++) {
            double one = score.applyAsDouble(i);
            // who may is asked last, since it takes longest
            if (one > least && may.test(i)) {
                found.add(new Scored(i, one));
                if (found.size() > room) {
                    found.remove();
                }
                least = found.size() == room ? found.element().score() : NOTHING;
            }
        }
        return found.stream()
                .sorted(smallestFirst.reversed())
                .map(Scored::number)
                .toList();
    }

    private record Scored(int number, double score) {}

    private void improve(List<Neighborhood> parts, int mostSize, double work) {
        List<NeighborhoodSolve> searches = parts.stream()
                .map(part -> new NeighborhoodSolve(candidates, rows, plan, losses, mustRun, part))
                .toList();
        SolveBudget budget = effort.share(1.0 / searches.size());
        double gap = 0.1 * gapTarget * Math.abs(prices.bound());
        ParallelLoop.each(searches.size(), i -> searches.get(i).solve(budget, work, gap));
        for (NeighborhoodSolve search : searches) {
            effort.spend(search.work());
            size = search.isExhausted() ? Math.min(mostSize, size * 1.1) : Math.max(LEAST_SIZE, size * 0.9);
            worth += search.takeOver();
        }
    }
}
