package dev.spur.service.explain;

import dev.spur.model.round.PendingPreparation;
import dev.spur.service.dataprep.PreparationState;
import dev.spur.service.eta.JobEta;
import dev.spur.service.explain.Explanation.Unblocking;
import dev.spur.service.plan.PlannedPreparations;
import org.jspecify.annotations.Nullable;

/**
 * Why a preparation waits, or why it runs in its allocation.
 *
 * @param preparationId the preparation
 * @param state its state
 * @param revision revision of the explained plan; 0 if there is none
 * @param message the explanation in one sentence
 * @param running its entry in the plan; null if the plan does not run it
 * @param waiting why it waits; null if it does not wait
 * @param unblock changes that would start it; null unless requested, and for one that does not wait
 * @param eta predicted start and end; null if it has ended, or was submitted after the last prediction
 */
record PreparationExplanation(
        String preparationId,
        PreparationState state,
        long revision,
        String message,
        PlannedPreparations.@Nullable Entry running,
        @Nullable PendingPreparation waiting,
        @Nullable Unblocking unblock,
        @Nullable JobEta eta) {
    /** This explanation with the changes that would start the preparation. */
    PreparationExplanation with(Unblocking found) {
        return new PreparationExplanation(preparationId, state, revision, message, running, waiting, found, eta);
    }
}
