package dev.spur.solver.pricing;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.NeighborhoodProgram;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a plan on its way to a better one. The plan changes only when the part is {@linkplain #takeOver taken
 * over}, so that parts with no job or node in common may be solved side by side.
 */
final class NeighborhoodSolve {
    /** Candidates of a job that are looked at beside the present one. */
    private static final int WAYS = 8;

    private final CandidateSet candidates;
    private final CouplingConstraints rows;
    private final PartialSolution plan;
    private final GapDecomposition losses;
    private final Neighborhood part;
    private final Map<Integer, List<Integer>> now;
    private final NeighborhoodProgram program;

    private @Nullable Map<Integer, List<Integer>> found;

    /** @param mustRun true for each job, by its index, that may not wait */
    NeighborhoodSolve(
            CandidateSet candidates,
            CouplingConstraints rows,
            PartialSolution plan,
            GapDecomposition losses,
            boolean[] mustRun,
            Neighborhood part) {
        this.candidates = candidates;
        this.rows = rows;
        this.plan = plan;
        this.losses = losses;
        this.part = part;
        this.now = part.now();
        Map<Integer, int[]> ways = new LinkedHashMap<>();
        part.jobs().forEach(j -> ways.put(j, ways(j)));
        part.jobs().forEach(plan::take);
        this.program = new NeighborhoodProgram(candidates, plan.room(), ways, mustRun, part.nodes());
        limitRestarts(ways);
        program.hint(now);
        now.forEach(plan::putOn);
    }

    /**
     * The present candidate of job {@code j}, and those that gain most at the prices and could be put into the part.
     */
    private int[] ways(int j) {
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

    /**
     * Jobs that cannot keep here what they hold use up some of the restarts that the round may cost; the others share
     * the rest.
     */
    private void limitRestarts(Map<Integer, int[]> ways) {
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

    /** Looks for something better; {@code work} and {@code gap} as {@link NeighborhoodProgram#solve} takes them. */
    void solve(SolveBudget budget, double work, double gap) {
        found = program.solve(budget, work, gap);
    }

    /** Deterministic work units spent. */
    double work() {
        return program.work();
    }

    /** True if no better choice is left in the part. */
    boolean isExhausted() {
        return program.isExhausted();
    }

    /**
     * Lets the plan have what was found, if that is better and still goes with the rest of the plan, which may have
     * used up what was left of quotas, caps, aggregation and restarts; returns how much more the plan is worth.
     */
    double takeOver() {
        if (found == null || worthOf(found) <= worthOf(now)) {
            return 0;
        }
        part.jobs().forEach(j -> {
            losses.leaving(j);
            plan.take(j);
        });
        boolean fits = plan.putAll(found);
        if (fits && rows.restarts(plan.choice()) > rows.restartLimit()) {
            part.jobs().forEach(plan::take);
            fits = false;
        }
        if (!fits) {
            now.forEach(plan::putOn);
        }
        part.jobs().forEach(losses::settled);
        return fits ? worthOf(found) - worthOf(now) : 0;
    }

    private double worthOf(Map<Integer, List<Integer>> chosen) {
        return chosen.keySet().stream().mapToDouble(rows::worth).sum();
    }
}
