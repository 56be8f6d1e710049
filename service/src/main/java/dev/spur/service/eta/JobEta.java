package dev.spur.service.eta;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * ETA of a job.
 *
 * @param revision revision of the plan that the prediction begins with
 * @param madeAt time of the prediction
 * @param coverage nominal coverage of the prediction intervals
 * @param start start of the job; null if it runs
 * @param completion end of the job
 */
public record JobEta(
        long revision,
        Instant madeAt,
        double coverage,
        @Nullable Eta start,
        Eta completion) {}
