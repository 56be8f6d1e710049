package dev.spur.service.jobs.learning;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.prediction.stall.StallEstimate;
import dev.spur.prediction.stall.StallOrigin;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The stall of one kind of change that rounds plan with.
 *
 * @param seconds stall in seconds
 * @param origin source of the stall
 * @param changes number of measured changes of the job
 * @param message the same in a sentence
 */
public record ChangeCost(ChangeMechanism kind, double seconds, StallOrigin origin, long changes, String message) {
    private static final MathContext TWO_DIGITS = new MathContext(2);

    static ChangeCost of(ChangeMechanism kind, StallEstimate estimate) {
        String what = switch (kind) {
            case RECONFIGURE -> "A change of the batch size";
            case RESCALE -> "A change of the number of slots";
            case MIGRATE -> "A move to other slots";
            case RESTART -> "A restart";
            case UNCHANGED -> "The same allocation";
        };
        String source = switch (estimate.origin()) {
            case MEASURED -> "measured, %d change%s".formatted(estimate.changes(), estimate.changes() == 1 ? "" : "s");
            case PREDICTED -> "predicted from its family";
            case STATED -> "stated";
            case ASSUMED -> "assumed";
        };
        String seconds = new BigDecimal(estimate.seconds())
                .round(TWO_DIGITS)
                .stripTrailingZeros()
                .toPlainString();
        return new ChangeCost(
                kind,
                estimate.seconds(),
                estimate.origin(),
                estimate.changes(),
                "%s costs about %s s (%s).".formatted(what, seconds, source));
    }
}
