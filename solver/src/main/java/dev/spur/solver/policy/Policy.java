package dev.spur.solver.policy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;

/** A way to plan a round. */
public interface Policy {
    /** Unique name, as the command line and the API say it. */
    String name();

    /**
     * What runs where by this policy; a decision always exists, if only as the last plan repaired for what has changed.
     *
     * @param problem a problem in which {@link dev.spur.model.validation.ProblemCheck} finds nothing wrong
     */
    Decision decide(RoundProblem problem);

    /** The decision for {@code problem} with reasons and proof. */
    default RoundPlan plan(RoundProblem problem) {
        return decide(problem).plan();
    }

    /**
     * True if time alone changes nothing: a decision stays the same until a job arrives or ends, a job that something
     * else could be given to may be touched again, or a node changes. A replay then asks only at such moments.
     */
    default boolean changesOnlyWithEvents() {
        return false;
    }
}
