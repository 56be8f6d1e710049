package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.service.job.JobKind;
import dev.spur.service.plan.PendingJobExplainer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Job in the queue, with the conditions that prevent its start.
 *
 * @param name display name
 * @param held true if the job is on hold
 * @param retryAt end of the pause after a failure; null without a pause
 * @param waitingSince start of the last waiting period
 * @param waitingSeconds length of the waiting period, by the clock of the database
 * @param awaited names and states of the preparations that the job waits for; empty if there are none
 */
record WaitingJob(
        String id,
        JobKind kind,
        String name,
        String tenant,
        String owner,
        String state,
        boolean held,
        @Nullable Instant retryAt,
        Instant waitingSince,
        double waitingSeconds,
        String awaited) {
    /** Returns why it waits, with the entry of the current plan; {@code position} is used without an entry. */
    PendingJob why(Optional<PendingJob> planned, int position) {
        return PendingJobExplainer.waits(id, held, retryAt, awaited, planned, position);
    }

    /** Returns true if rounds must not start it. */
    public boolean heldBack() {
        return held || retryAt != null || !awaited.isEmpty();
    }
}
