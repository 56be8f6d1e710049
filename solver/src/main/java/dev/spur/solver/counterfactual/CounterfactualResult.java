package dev.spur.solver.counterfactual;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.whatif.Change;
import java.util.List;

/** Result of a counterfactual search for a pending job. */
public sealed interface CounterfactualResult {
    /**
     * A change that starts the job: every optimal plan of the changed problem runs it. No smaller change of the same
     * kind does, and none of the kinds tried before.
     *
     * @param changes the change, as one list; empty if the job runs without a change, once a round proves its plan
     *     optimal
     * @param plan such a plan
     */
    record Found(List<Change> changes, RoundPlan plan) implements CounterfactualResult {
        public Found {
            changes = List.copyOf(changes);
        }
    }

    /**
     * No such change was found.
     *
     * @param tried number of changes tried
     * @param complete whether the largest change of each kind was refuted; false if time ran out or a solve ended
     *     without a proof
     */
    record NotFound(int tried, boolean complete) implements CounterfactualResult {}
}
