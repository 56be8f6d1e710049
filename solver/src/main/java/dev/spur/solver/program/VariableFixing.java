package dev.spur.solver.program;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Scope of a program: the jobs that it decides, and their allowed candidates. All other jobs are fixed to their
 * candidates and nodes.
 */
public final class VariableFixing {
    private final boolean[] open;
    private final int[] settled;
    private final boolean[] allowed;
    private final int[] live;
    private final Map<Integer, Allocation> placed;

    /**
     * @param open true for each job that the program decides
     * @param fixed candidate by fixed job, -1 for waiting; ignored for open jobs
     * @param allowed true for each candidate that an open job may get
     * @param placed allocations of fixed jobs that run, by index of the job
     */
    public VariableFixing(
            CandidateSet candidates, boolean[] open, int[] fixed, boolean[] allowed, Map<Integer, Allocation> placed) {
        this.placed = Map.copyOf(placed);
        this.open = open.clone();
        this.settled = fixed.clone();
        this.allowed = allowed.clone();
        int[] found = new int[candidates.size()];
        int count = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            if (!open[j] && fixed[j] >= 0) {
                found[count++] = fixed[j];
            }
            for (int c = candidates.first(j); open[j] && c < candidates.end(j); c++) {
                if (allowed[c]) {
                    found[count++] = c;
                }
            }
        }
        this.live = Arrays.copyOf(found, count);
    }

    /** Returns the scope of every job with every candidate. */
    public static VariableFixing everything(CandidateSet candidates) {
        boolean[] open = new boolean[candidates.jobs()];
        boolean[] allowed = new boolean[candidates.size()];
        Arrays.fill(open, true);
        Arrays.fill(allowed, true);
        return new VariableFixing(candidates, open, new int[open.length], allowed, Map.of());
    }

    /** Returns whether the program decides job {@code j}. */
    public boolean isOpen(int j) {
        return open[j];
    }

    /** Returns the candidate of a fixed job, -1 for waiting. */
    public int settled(int j) {
        return settled[j];
    }

    /** Returns the pieces of a fixed job; empty if it waits. */
    List<NodeShare> settledPieces(int j) {
        Allocation given = placed.get(j);
        return settled[j] < 0 || given == null ? List.of() : given.placement();
    }

    /** Returns whether the program may choose {@code c}, which belongs to an open job. */
    public boolean isAllowed(int c) {
        return allowed[c];
    }

    /** Returns the fixed and the allowed candidates, job by job. Not to be modified. */
    int[] live() {
        return live;
    }
}
