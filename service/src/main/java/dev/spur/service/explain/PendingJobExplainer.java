package dev.spur.service.explain;

import dev.spur.model.round.Deferral;
import dev.spur.model.round.ReasonToken;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.store.WaitingJob;
import java.util.Optional;

/** Why a job waits: as the current plan says, or for what has happened since. */
final class PendingJobExplainer {
    private PendingJobExplainer() {}

    /** The deferral of a job that waits; {@code position} is used where the plan gives none. */
    static Deferral waits(WaitingJob job, Optional<PlanDocument> plan, int position) {
        if (job.held()) {
            return told(job, ReasonToken.HOLD, position, "It is held until somebody releases it.");
        }
        if (job.pauseSeconds() > 0) {
            String sentence = "It was sent back to the queue, as its events tell, and may start again in %.0f s."
                    .formatted(job.pauseSeconds());
            return told(job, ReasonToken.BACK_OFF, position, sentence);
        }
        if (!job.awaited().isEmpty()) {
            return told(
                    job,
                    ReasonToken.DATA,
                    position,
                    "Its data are not there yet: it waits for %s.".formatted(job.awaited()));
        }
        return plan.flatMap(current -> current.deferral(job.id()))
                .orElseGet(() -> told(
                        job,
                        ReasonToken.NOT_EVALUATED_YET,
                        position,
                        "No round has looked at it yet; the next one will."));
    }

    private static Deferral told(WaitingJob job, ReasonToken reason, int position, String sentence) {
        return new Deferral(job.id(), reason, null, null, null, position, sentence);
    }
}
