package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.store.WaitingJob;
import java.util.Optional;

/** Why a job waits: as the current plan says, or for what has happened since. */
final class PendingJobExplainer {
    private PendingJobExplainer() {}

    /** The deferral of a job that waits; {@code position} is used where the plan gives none. */
    static PendingJob waits(WaitingJob job, Optional<PlanDocument> plan, int position) {
        if (job.held()) {
            return told(job, PendingReason.HELD, position, "It is held until somebody releases it.");
        }
        if (job.pauseSeconds() > 0) {
            String sentence = "It was sent back to the queue, as its events tell, and may start again in %.0f s."
                    .formatted(job.pauseSeconds());
            return told(job, PendingReason.BACKOFF, position, sentence);
        }
        if (!job.awaited().isEmpty()) {
            return told(
                    job,
                    PendingReason.DEPENDENCY,
                    position,
                    "Its data are not there yet: it waits for %s.".formatted(job.awaited()));
        }
        return plan.flatMap(current -> current.pending(job.id()))
                .orElseGet(() -> told(
                        job,
                        PendingReason.NOT_EVALUATED,
                        position,
                        "No round has looked at it yet; the next one will."));
    }

    private static PendingJob told(WaitingJob job, PendingReason reason, int position, String sentence) {
        return new PendingJob(job.id(), reason, null, null, null, position, sentence);
    }
}
