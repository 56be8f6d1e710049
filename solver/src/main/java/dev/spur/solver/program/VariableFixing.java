package dev.spur.solver.program;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.resource.RestartLimit;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Restriction of a round to some jobs, which are open. All other jobs are fixed to their choice, and the residual
 * cluster lacks what they use. Pinned jobs are always fixed, to their allocations.
 */
public final class VariableFixing {
    private final CandidateSet candidates;
    private final Map<Integer, int[]> open;
    private final int[] choice;
    private final ResidualCapacity residual;
    private final RestartLimit restarts;

    /**
     * @param open by open job, the candidates that it may get; no job is pinned
     * @param choice candidate by fixed job, -1 for waiting; -1 for open jobs
     * @param residual capacity without the fixed jobs
     */
    public VariableFixing(
            CandidateSet candidates,
            Map<Integer, int[]> open,
            int[] choice,
            ResidualCapacity residual,
            RestartLimit restarts) {
        this.candidates = candidates;
        this.open = Collections.unmodifiableMap(new LinkedHashMap<>(open));
        this.choice = choice.clone();
        this.residual = residual;
        this.restarts = restarts;
    }

    /** Returns the fixing of the pinned jobs only: all other jobs are open, with all of their candidates. */
    public static VariableFixing ofPinnedJobs(CandidateSet candidates) {
        Map<Integer, int[]> open = new LinkedHashMap<>();
        int[] choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        ResidualCapacity residual = new ResidualCapacity(candidates);
        for (int j = 0; j < choice.length; j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (heldAllocation != null && candidates.isPinned(j)) {
                choice[j] = candidates.retainedCandidate(j);
                residual.occupy(j, heldAllocation);
            } else {
                open.put(
                        j,
                        IntStream.range(candidates.first(j), candidates.end(j)).toArray());
            }
        }
        return new VariableFixing(candidates, open, choice, residual, RestartLimit.of(candidates));
    }

    CandidateSet candidates() {
        return candidates;
    }

    /** Returns by open job the candidates that it may get. */
    Map<Integer, int[]> open() {
        return open;
    }

    /** Returns the candidate by fixed job, -1 for waiting; -1 for open jobs. Not to be modified. */
    int[] choice() {
        return choice;
    }

    /** Returns whether candidate {@code c} is the choice of a fixed job. */
    boolean isChosen(int c) {
        return choice[candidates.get(c).job()] == c;
    }

    /** Returns the capacity without the fixed jobs. */
    ResidualCapacity residual() {
        return residual;
    }

    /** Returns the restart limit of the round. */
    RestartLimit restarts() {
        return restarts;
    }
}
