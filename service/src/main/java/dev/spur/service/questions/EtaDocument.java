package dev.spur.service.questions;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.Checks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * ETAs as stored.
 *
 * @param jobs ETAs by job id, of training jobs and data preparations
 */
record EtaDocument(@JsonUnwrapped ForecastFacts facts, Map<String, Times> jobs) {
    EtaDocument {
        jobs = Checks.copy(jobs);
    }

    /** Facts about a forecast. Members as in the contract. */
    record ForecastFacts(
            long revision,
            Instant stateAt,
            Instant until,
            int samples,
            double coverage,
            int rounds,
            String policy,
            double medianSlowdown,
            double spread,
            double arrivalsPerHour,
            List<String> cuts) {
        ForecastFacts {
            cuts = Checks.copy(cuts);
        }
    }

    /**
     * ETAs of a job.
     *
     * @param start null if the plan already ran it
     */
    record Times(@Nullable Eta start, Eta completion) {
        /** ETAs of a job that has started or stopped since the prediction. */
        static final Times OUTDATED = new Times(Eta.OUTDATED, Eta.OUTDATED);
    }
}
