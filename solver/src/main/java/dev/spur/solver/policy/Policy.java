package dev.spur.solver.policy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;

/** Scheduling policy of a round. */
public interface Policy {
    /** Returns the unique name, as used by the command line and the API. */
    String name();

    /**
     * Decides the allocations of a round. A decision always exists: at least the last plan repaired for all changes.
     *
     * @param problem a problem without findings of {@link dev.spur.model.validation.ProblemCheck}
     */
    Decision decide(RoundProblem problem);

    /** Returns the plan for {@code problem} with reasons and quality. */
    default RoundPlan plan(RoundProblem problem) {
        return decide(problem).plan();
    }

    /**
     * Returns whether time alone changes no decision: it stays the same until a job arrives or ends, a protected job
     * becomes preemptible, or a node changes. A replay then decides only at such moments.
     */
    default boolean changesOnlyWithEvents() {
        return false;
    }
}
