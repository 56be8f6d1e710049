package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.NeighbourhoodProgram;
import dev.spur.solver.solve.Effort;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Improves a plan part by part, where it loses most against the bound: the program decides again a few jobs and nodes with
 * large losses, while all others stay as they are (large neighbourhood search: Shaw, "Using constraint programming and local
 * search methods to solve vehicle routing problems", 1998). A part that was just looked at counts half as much the next time.
 */
final class NeighbourhoodSearch {
    private static final int FIRST_SIZE = 30;
    private static final int LEAST_SIZE = 10;
    private static final int MOST_SIZE = 200;
    /** Deterministic work units for one neighbourhood. */
    private static final double WORK = 0.2;
    /** Candidates of a job that are looked at beside the present one. */
    private static final int WAYS = 8;
    /** Neighbourhoods without a better plan after which the search ends. */
    private static final int MOST_IDLE = 40;

    private static final double NOTHING = 1e-9;

    private final CandidateSet candidates;
    private final CouplingRows rows;
    private final Prices prices;
    private final WorkingPlan plan;
    private final Losses losses;
    private final double gapTarget;
    private final Effort effort;
    private final boolean[] mustRun;
    private final List<Settled.Together> together;
    private final double[] freshnessOfJob;
    private final double[] freshnessOfNode;
    private final double[] freshnessOfBlock;
    private double size = FIRST_SIZE;
    private double worth;

    NeighbourhoodSearch(
            CandidateSet candidates,
            CouplingRows rows,
            Prices prices,
            WorkingPlan plan,
            double gapTarget,
            Effort effort) {
        this.candidates = candidates;
        this.rows = rows;
        this.prices = prices;
        this.plan = plan;
        this.losses = new Losses(candidates, rows, prices, plan);
        this.gapTarget = gapTarget;
        this.effort = effort;
        this.together = prices.settled().together();
        this.mustRun = new boolean[candidates.jobs()];
        for (int j = 0; j < mustRun.length; j++) {
            mustRun[j] = !rows.mayWait(j);
            worth += plan.choiceOf(j) < 0 ? 0 : rows.worth(plan.choiceOf(j));
        }
        this.freshnessOfJob = ones(candidates.jobs());
        this.freshnessOfNode = ones(losses.nodes());
        this.freshnessOfBlock = ones(together.size());
    }

    private static double[] ones(int length) {
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    /**
     * Searches until the gap target is reached, the effort is spent, or nothing seems to get better; returns what the plan is
     * worth then.
     */
    double run() {
        int idle = 0;
        while (effort.isLeft() && idle < MOST_IDLE && prices.bound() - worth > gapTarget * Math.abs(prices.bound())) {
            double before = worth;
            improve(next());
            idle = worth > before ? 0 : idle + 1;
        }
        return worth;
    }

    private Neighbourhood next() {
        Neighbourhood next = new Neighbourhood(candidates, plan, (int) size);
        largest(losses.nodes(), v -> losses.ofNode(v) * freshnessOfNode[v], size / 5)
                .forEach(next::addNode);
        for (int b :
                largest(together.size(), b -> losses.of(together.get(b)) * freshnessOfBlock[b], size / FIRST_SIZE)) {
            freshnessOfBlock[b] /= 2;
            Arrays.stream(together.get(b).jobs().jobs())
                    .boxed()
                    .sorted(Comparator.comparingDouble(losses::margin))
                    .limit((int) (size * 0.7))
                    .forEach(next::addJob);
        }
        largest(candidates.jobs(), j -> losses.ofJob(j) * freshnessOfJob[j], size / 4)
                .forEach(next::addJob);
        for (int v : List.copyOf(next.nodes())) {
            losses.residents(v).forEach(next::addJob);
        }
        next.nodes().forEach(v -> freshnessOfNode[v] /= 2);
        next.jobs().forEach(j -> freshnessOfJob[j] /= 2);
        return next;
    }

    /** The numbers below {@code count} with the largest scores above 0, at least one if there is any. */
    private static List<Integer> largest(int count, IntToDoubleFunction score, double most) {
        double[] scores = IntStream.range(0, count).mapToDouble(score).toArray();
        return IntStream.range(0, count)
                .filter(i -> scores[i] > NOTHING)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -scores[i]))
                .limit(Math.max(1, (int) most))
                .toList();
    }

    private void improve(Neighbourhood part) {
        Map<Integer, List<Integer>> now = part.now();
        Map<Integer, int[]> ways = new LinkedHashMap<>();
        part.jobs().forEach(j -> ways.put(j, ways(j, part)));
        part.jobs().forEach(j -> {
            losses.leaving(j);
            plan.take(j);
        });
        NeighbourhoodProgram program = new NeighbourhoodProgram(candidates, plan.room(), ways, mustRun, part.nodes());
        limitRestarts(program, ways);
        program.hint(now);
        Map<Integer, List<Integer>> found =
                program.solve(effort.share(1), WORK, 0.1 * gapTarget * Math.abs(prices.bound()));
        effort.spend(program.work());
        size = program.isExhausted() ? Math.min(MOST_SIZE, size * 1.1) : Math.max(LEAST_SIZE, size * 0.9);
        boolean better = found != null && worthOf(found) > worthOf(now);
        Map<Integer, List<Integer>> taken = found != null && better ? found : now;
        worth += worthOf(taken) - worthOf(now);
        taken.keySet().stream()
                .sorted(Comparator.comparing(c -> !candidates.get(c).kept()))
                .forEach(c -> plan.putOn(c, taken.getOrDefault(c, List.of())));
        part.jobs().forEach(losses::settled);
    }

    /** Jobs that cannot keep here what they hold use up some of the restarts that the round may cost; the others share the rest. */
    private void limitRestarts(NeighbourhoodProgram program, Map<Integer, int[]> ways) {
        if (rows.restartLimit() == Integer.MAX_VALUE) {
            return;
        }
        long lost = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            int kept = candidates.kept(j);
            int[] open = ways.getOrDefault(j, new int[0]);
            boolean isOpen = IntStream.of(open).anyMatch(c -> c == kept);
            lost += kept >= 0 && !isOpen && plan.choiceOf(j) != kept ? 1 : 0;
        }
        program.restartsStayWithin(rows.restartLimit() - lost);
    }

    private double worthOf(Map<Integer, List<Integer>> chosen) {
        return chosen.keySet().stream().mapToDouble(rows::worth).sum();
    }

    /** The present candidate of job {@code j}, and those that gain most at the prices and could be put into {@code part}. */
    private int[] ways(int j, Neighbourhood part) {
        int now = plan.choiceOf(j);
        IntStream others = rows.offered(j)
                .filter(c -> c != now)
                .filter(c -> !candidates.get(c).kept() || part.nodes().containsAll(plan.heldBy(j)))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -losses.reduced(c)))
                .limit(WAYS)
                .mapToInt(Integer::intValue);
        return now < 0
                ? others.toArray()
                : IntStream.concat(IntStream.of(now), others).toArray();
    }
}
