package dev.spur.service.eta;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of a job.
 *
 * @param revision of the plan that the estimate begins with
 * @param madeAt when it was made
 * @param coverage the share of outcomes that its bands should hold
 * @param start when the job gets slots; null if it has some
 * @param completion when it is done
 */
public record JobEta(
        long revision,
        Instant madeAt,
        double coverage,
        @Nullable Eta start,
        Eta completion) {}
