package dev.spur.solver.counterfactual;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.whatif.Change;
import java.util.List;

/** What was found out about a job that waits. */
public sealed interface CounterfactualResult {
    /**
     * A change that starts the job: every best plan for the changed problem runs it. No smaller change of the same kind
     * does, and none of the kinds tried before.
     *
     * @param changes the change, as one list; empty if the job runs as things are, once a round gets to its proof
     * @param plan that plan
     */
    record Found(List<Change> changes, RoundPlan plan) implements CounterfactualResult {
        public Found {
            changes = List.copyOf(changes);
        }
    }

    /**
     * No such change was found.
     *
     * @param tried number of changes that were tried
     * @param complete true if even the largest change of each kind was refuted; false if time ran out or a solve did
     *     not end in a proof
     */
    record NotFound(int tried, boolean complete) implements CounterfactualResult {}
}
