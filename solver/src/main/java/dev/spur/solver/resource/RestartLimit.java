package dev.spur.solver.resource;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Restart limit: the sum of {@code 1 - x[kept(j)]} over all keepable jobs j is at most {@code maxRestarts}, where
 * {@code x[kept(j)]} is the sum over the candidates that keep the allocation.
 *
 * <p>A job is keepable if it could keep its allocation and is not pinned. As a row over candidates, the inequality is
 * {@code sum of coefficient(c) * x[c] <= capacity}.
 *
 * <p>The limit does not apply where quotas, caps, hosts or aggregation slots have decreased so that some job cannot
 * keep its allocation next to the others: a plan within the limit might not exist. With at most {@code maxRestarts}
 * keepable jobs it holds for every plan, and does not apply either.
 */
public final class RestartLimit {
    private final CandidateSet candidates;
    private final int keepable;
    private final int limit;

    private RestartLimit(CandidateSet candidates) {
        this.candidates = candidates;
        this.keepable = (int) keepableJobs(candidates).count();
        Integer max = candidates.problem().settings().maxRestarts();
        this.limit = max != null && max < keepable && allCanStay(candidates) ? max : Integer.MAX_VALUE;
    }

    /** Returns the restart limit of the round of {@code candidates}. */
    public static RestartLimit of(CandidateSet candidates) {
        return new RestartLimit(candidates);
    }

    private static IntStream keepableJobs(CandidateSet candidates) {
        return IntStream.range(0, candidates.jobs()).filter(j -> isKeepable(candidates, j));
    }

    /** Returns true if job {@code j} may be stopped, and may keep its allocation unchanged. */
    private static boolean isKeepable(CandidateSet candidates, int j) {
        Allocation heldAllocation = candidates.job(j).allocation();
        return heldAllocation != null
                && candidates.retainedCandidate(j) >= 0
                && !candidates.isPinned(j)
                && (candidates
                                .get(candidates.retainedCandidate(j))
                                .configuration()
                                .equals(heldAllocation.configuration())
                        || candidates.clusterIndex().mayStay(candidates.job(j), heldAllocation));
    }

    /** Returns true if all jobs can stay. The greedy repair then keeps them in any order, since each subset fits. */
    private static boolean allCanStay(CandidateSet candidates) {
        int[] repaired = GreedyFill.repairPlan(candidates);
        return IntStream.range(0, candidates.jobs())
                .allMatch(j -> candidates.retainedCandidate(j) < 0 || candidates.isRetained(repaired[j]));
    }

    /** Returns true if job {@code j} may be stopped, and may keep its allocation unchanged. */
    public boolean isKeepable(int j) {
        return isKeepable(candidates, j);
    }

    /** Returns true if some choice of candidates would violate the limit. */
    public boolean applies() {
        return limit < Integer.MAX_VALUE;
    }

    /** Returns the maximum number of restarts; {@link Integer#MAX_VALUE} if the limit does not apply. */
    public int limit() {
        return limit;
    }

    /** Returns the number of keepable jobs. */
    public int retainableJobs() {
        return keepable;
    }

    /**
     * Returns the right-hand side of the row: limit minus keepable jobs, a negative number. Requires that it applies.
     */
    public int capacity() {
        if (!applies()) {
            throw new IllegalStateException("the restart limit does not apply");
        }
        return limit - keepable;
    }

    /** Returns the coefficient of {@code candidate} in the row: -1 if a keepable job keeps its allocation, else 0. */
    public int coefficient(Candidate candidate) {
        return candidate.isRetained() && isKeepable(candidates, candidate.job()) ? -1 : 0;
    }

    /**
     * Returns the left-hand side of the row: the number of keepable jobs that keep their allocation, negated.
     *
     * @param choice candidate by index of the job; -1 for waiting
     */
    public int use(int[] choice) {
        return restarts(choice) - keepable;
    }

    /**
     * Returns the number of keepable jobs that do not keep their allocation.
     *
     * @param choice candidate by index of the job; -1 for waiting
     */
    public int restarts(int[] choice) {
        return (int) keepableJobs(candidates)
                .filter(j -> !candidates.isRetained(choice[j]))
                .count();
    }

    /**
     * Returns the number of keepable jobs that do not keep their allocation.
     *
     * @param allocations allocation by index of the job; null for waiting
     */
    public int restarts(IntFunction<@Nullable Allocation> allocations) {
        return (int) keepableJobs(candidates)
                .filter(j -> {
                    Allocation nextAllocation = allocations.apply(j);
                    return nextAllocation == null
                            || !candidates.job(j).changeTo(nextAllocation).keepsProcesses();
                })
                .count();
    }
}
