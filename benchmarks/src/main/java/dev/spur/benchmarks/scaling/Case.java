package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundProblem;

/**
 * Round to be planned.
 *
 * @param program description of the constraints for tables
 * @param problem the instance
 */
public record Case(String program, RoundProblem problem) {
    /** Returns the number of accelerators of the cluster. */
    public int slots() {
        return problem.nodes().stream().mapToInt(node -> node.slots()).sum();
    }
}
