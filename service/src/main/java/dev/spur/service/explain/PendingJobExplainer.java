package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.plan.PlanDocument;
import java.util.Optional;

/** Explains why a job waits, from the current plan or from later events. */
final class PendingJobExplainer {
    private PendingJobExplainer() {}

    /** The pending reason of a job; {@code position} is used if the plan gives none. */
    static PendingJob waits(WaitingJob job, Optional<PlanDocument> plan, int position) {
        if (job.held()) {
            return pending(job, PendingReason.HELD, position, "It is held and must be released.");
        }
        if (job.pauseSeconds() > 0) {
            String sentence =
                    "It was requeued (see its events) and may start again in %.0f s.".formatted(job.pauseSeconds());
            return pending(job, PendingReason.BACKOFF, position, sentence);
        }
        if (!job.awaited().isEmpty()) {
            return pending(
                    job,
                    PendingReason.DEPENDENCY,
                    position,
                    "Its input data are missing: it waits for the preparations %s.".formatted(job.awaited()));
        }
        return plan.flatMap(current -> current.pending(job.id()))
                .orElseGet(() -> pending(
                        job,
                        PendingReason.NOT_EVALUATED,
                        position,
                        "No round has evaluated it yet; the next one will."));
    }

    private static PendingJob pending(WaitingJob job, PendingReason reason, int position, String sentence) {
        return new PendingJob(job.id(), reason, null, null, null, position, sentence);
    }
}
