package dev.spur.solver.policy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;

/** A way to plan a round. */
public interface Policy {
    /** Unique name, as the command line and the API say it. */
    String name();

    /**
     * The plan of this policy for {@code problem}; it always exists, if only as the last plan repaired for what has changed.
     *
     * @param problem a problem in which {@link dev.spur.model.check.ProblemCheck} finds nothing wrong
     */
    RoundPlan plan(RoundProblem problem);
}
