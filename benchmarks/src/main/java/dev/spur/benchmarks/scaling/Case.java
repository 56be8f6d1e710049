package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;

/**
 * Round to be planned.
 *
 * @param program description of the constraints for tables
 * @param problem the instance
 */
public record Case(String program, RoundProblem problem) {
    /** Returns the number of jobs, and that of the accelerators of the cluster. */
    public Size size() {
        return new Size(
                problem.jobs().size(),
                problem.nodes().stream().mapToInt(node -> node.slots()).sum());
    }

    /** Returns this round with other settings. */
    public Case withSettings(RoundSettings settings) {
        return new Case(program, problem.withSettings(settings));
    }
}
