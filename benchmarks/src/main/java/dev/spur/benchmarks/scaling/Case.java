package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundProblem;

/**
 * A round to be planned.
 *
 * @param program what is in it, for people
 * @param problem the round
 */
public record Case(String program, RoundProblem problem) {
    /** Accelerators of the cluster. */
    public int slots() {
        return problem.nodes().stream().mapToInt(node -> node.slots()).sum();
    }
}
