package dev.spur.solver.exact;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualDecisions;
import dev.spur.solver.relaxation.ReducedCosts;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Choices that a plan better than the incumbent could contain. A choice whose loss exceeds the gap between the dual
 * bound and the incumbent is in no better plan (reduced-cost fixing).
 */
final class OpenChoices {
    private final CandidateSet candidates;
    private final CouplingConstraints constraints;
    private final ReducedCosts reducedCosts;
    private final DualDecisions decisions;
    private final double gap;
    private final int[] choice;
    private final boolean[] allowed;

    /**
     * Creates the choices.
     *
     * @param gap difference between the dual bound at the prices and the objective value of the incumbent
     * @param choice candidate of each job in the incumbent; -1 for waiting. Not to be modified afterwards
     */
    OpenChoices(
            CouplingConstraints constraints,
            ReducedCosts reducedCosts,
            DualDecisions decisions,
            double gap,
            int[] choice) {
        this.candidates = constraints.candidates();
        this.constraints = constraints;
        this.reducedCosts = reducedCosts;
        this.decisions = decisions;
        this.gap = gap;
        this.choice = choice;
        this.allowed = new boolean[candidates.size()];
        for (int j = 0; j < candidates.jobs(); j++) {
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                allowed[c] = c == choice[j] || (constraints.isOffered(c) && reducedCosts.of(j, c) <= limit(j));
            }
        }
    }

    /**
     * Returns the loss above which a candidate of job {@code j} is in no better plan. All other jobs together gain at
     * most the dual bound.
     */
    private double limit(int j) {
        return gap + decisions.slack(j);
    }

    /** Returns the candidates of job {@code j} that a better plan could contain. */
    int[] candidates(int j) {
        return IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> allowed[c])
                .toArray();
    }

    /** Returns the jobs with an alternative to their present choice, waiting included. */
    List<Integer> jobs() {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> !candidates.isPinned(j) && hasAlternative(j))
                .boxed()
                .toList();
    }

    private boolean hasAlternative(int j) {
        boolean alternative = choice[j] >= 0 && waitingIsOpen(j);
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            alternative |= allowed[c] && c != choice[j];
        }
        return alternative;
    }

    /** Returns the number of choices of {@code jobs}, waiting included. */
    int count(List<Integer> jobs) {
        return jobs.stream().mapToInt(this::count).sum();
    }

    private int count(int j) {
        int alternatives = waitingIsOpen(j) ? 1 : 0;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            alternatives += allowed[c] ? 1 : 0;
        }
        return alternatives;
    }

    private boolean waitingIsOpen(int j) {
        return constraints.mayWait(j) && (choice[j] < 0 || reducedCosts.of(j, -1) <= limit(j));
    }

    /**
     * Adds to the open jobs those with one candidate but no fixed nodes. A proof of optimality requires that they can
     * move to other nodes.
     */
    List<Integer> withMovableJobs(List<Integer> open) {
        Set<Integer> movable = new TreeSet<>(open);
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).isRetained()) {
                movable.add(j);
            }
        }
        return List.copyOf(movable);
    }

    /**
     * Returns {@code size} jobs: those with the largest loss, then those with the smallest difference to their
     * second-best candidate.
     */
    List<Integer> mostOpen(List<Integer> open, int size) {
        return open.stream()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.max(0, reducedCosts.of(j, choice[j]) - 1e-9))
                        .thenComparingDouble(this::margin))
                .limit(size)
                .toList();
    }

    /** Returns the difference between the largest and the second-largest reduced cost of the job. */
    private double margin(int j) {
        double next = constraints.mayWait(j) && choice[j] >= 0 ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (allowed[c] && c != choice[j]) {
                next = Math.max(next, reducedCosts.reducedCost(c));
            }
        }
        return reducedCosts.best(j) - next;
    }
}
