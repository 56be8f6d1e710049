package dev.spur.service.explain;

import dev.spur.model.round.PendingPreparation;
import dev.spur.service.eta.JobEta;
import dev.spur.service.explain.Explanation.Unblocking;
import dev.spur.service.plan.PlannedPreparations;
import dev.spur.service.store.PreparationState;
import org.jspecify.annotations.Nullable;

/**
 * Why a preparation waits, or runs as it does.
 *
 * @param preparationId the preparation
 * @param state its state
 * @param revision revision of the plan that is explained; 0 if there is none
 * @param message the explanation in one sentence
 * @param running its entry in the plan; null if it does not run by it
 * @param waiting why it waits; null if it does not
 * @param unblock what would start it; null unless asked for, and for one that does not wait
 * @param eta when it is expected to start and to be done; null if it has ended, or came too late to be looked at
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
    /** This explanation with what would start the preparation. */
    PreparationExplanation with(Unblocking found) {
        return new PreparationExplanation(preparationId, state, revision, message, running, waiting, found, eta);
    }
}
