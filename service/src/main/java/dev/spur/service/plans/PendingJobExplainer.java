package dev.spur.service.plans;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.jobs.PauseMessages;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why a job waits, from the current plan or from later events. */
public final class PendingJobExplainer {
    private PendingJobExplainer() {}

    /**
     * Returns the pending reason of a job.
     *
     * @param retryAt end of the pause after a failure; null without a pause
     * @param pauseCause cause of the pause as JSON; null if unknown
     * @param notBefore time before which no round starts it; null if there is none, or it has passed
     * @param awaited jobs that the job waits for, in words; empty for none
     * @param planned the entry of the job in the current plan; empty if it has none
     * @param position queue position of the result, if the plan has no entry or later events precede it
     */
    public static PendingJob waits(
            String id,
            boolean held,
            @Nullable Instant retryAt,
            @Nullable String pauseCause,
            @Nullable Instant notBefore,
            String awaited,
            Optional<PendingJob> planned,
            int position) {
        if (held) {
            return pending(id, PendingReason.HELD, position, "It is held and must be released.");
        }
        if (retryAt != null) {
            return pending(
                    id,
                    PendingReason.BACKOFF,
                    position,
                    "%s It may start again at %s."
                            .formatted(PauseMessages.of(pauseCause), retryAt.truncatedTo(ChronoUnit.SECONDS)));
        }
        if (notBefore != null) {
            return pending(
                    id,
                    PendingReason.NOT_BEFORE,
                    position,
                    "It starts at %s at the earliest, as its owner states.%s"
                            .formatted(
                                    notBefore.truncatedTo(ChronoUnit.SECONDS),
                                    awaited.isEmpty() ? "" : " It also waits for %s.".formatted(awaited)));
        }
        if (!awaited.isEmpty()) {
            return pending(id, PendingReason.DEPENDENCY, position, "It waits for %s.".formatted(awaited));
        }
        return planned.orElseGet(() -> pending(
                id, PendingReason.NOT_EVALUATED, position, "No round has evaluated it yet; the next one will."));
    }

    private static PendingJob pending(String id, PendingReason reason, int position, String message) {
        return new PendingJob(id, reason, null, null, null, position, message);
    }
}
