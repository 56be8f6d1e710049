package dev.spur.solver.program;

import java.util.List;

/**
 * Commitment to a job: the program must choose one of some candidates, regardless of their utility.
 *
 * @param job index of the job
 * @param candidates candidates that satisfy the commitment, at least one
 */
public record Obligation(int job, List<Integer> candidates) {
    public Obligation {
        candidates = List.copyOf(candidates);
    }
}
