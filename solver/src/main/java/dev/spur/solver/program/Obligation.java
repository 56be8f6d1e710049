package dev.spur.solver.program;

import java.util.List;

/**
 * A job that should get one of some candidates, whatever that is worth.
 *
 * @param job index of the job
 * @param candidates the candidates that meet the obligation, at least one
 */
public record Obligation(int job, List<Integer> candidates) {
    public Obligation {
        candidates = List.copyOf(candidates);
    }
}
