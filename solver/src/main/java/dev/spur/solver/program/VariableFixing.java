package dev.spur.solver.program;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Which jobs a program decides, and among which of their candidates; the other jobs are settled and stay where they
 * sit.
 */
public final class VariableFixing {
    private final boolean[] open;
    private final int[] settled;
    private final boolean[] allowed;
    private final int[] live;
    private final Map<Integer, Allocation> placed;

    /**
     * @param open true for each job that the program decides
     * @param settled for each other job its candidate, -1 for waiting
     * @param allowed true for each candidate that an open job may get
     * @param placed where settled jobs that run sit, by index of the job
     */
    public VariableFixing(
            CandidateSet candidates,
            boolean[] open,
            int[] settled,
            boolean[] allowed,
            Map<Integer, Allocation> placed) {
        this.placed = Map.copyOf(placed);
        this.open = open.clone();
        this.settled = settled.clone();
        this.allowed = allowed.clone();
        int[] found = new int[candidates.size()];
        int count = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            if (!open[j] && settled[j] >= 0) {
                found[count++] = settled[j];
            }
            for (int c = candidates.first(j); open[j] && c < candidates.end(j); c++) {
                if (allowed[c]) {
                    found[count++] = c;
                }
            }
        }
        this.live = Arrays.copyOf(found, count);
    }

    /** Every job, every candidate. */
    public static VariableFixing everything(CandidateSet candidates) {
        boolean[] open = new boolean[candidates.jobs()];
        boolean[] allowed = new boolean[candidates.size()];
        Arrays.fill(open, true);
        Arrays.fill(allowed, true);
        return new VariableFixing(candidates, open, new int[open.length], allowed, Map.of());
    }

    /** True if the program decides job {@code j}. */
    public boolean isOpen(int j) {
        return open[j];
    }

    /** The candidate of a settled job, -1 for waiting. */
    public int settled(int j) {
        return settled[j];
    }

    /** The pieces of a settled job; none if it waits. */
    List<NodeShare> settledPieces(int j) {
        Allocation given = placed.get(j);
        return settled[j] < 0 || given == null ? List.of() : given.placement();
    }

    /** True if the program may choose {@code c}, which belongs to an open job. */
    public boolean isAllowed(int c) {
        return allowed[c];
    }

    /** Candidates that are chosen or may be, job by job; not to be changed. */
    int[] live() {
        return live;
    }
}
