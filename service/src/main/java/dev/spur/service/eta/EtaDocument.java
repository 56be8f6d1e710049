package dev.spur.service.eta;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.Checks;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

        private ForecastFacts with(ForecastFacts other) {
            ForecastFacts older = stateAt.isAfter(other.stateAt) ? other : this;
            return new ForecastFacts(
                    Math.max(revision, other.revision),
                    older.stateAt,
                    until.isBefore(other.until) ? until : other.until,
                    Math.min(samples, other.samples),
                    Math.min(coverage, other.coverage),
                    rounds + other.rounds,
                    policy,
                    older.medianSlowdown,
                    older.spread,
                    older.arrivalsPerHour,
                    Stream.concat(cuts.stream(), other.cuts.stream()).distinct().toList());
        }
    }

    /**
     * This document merged with that of another planning domain. Common facts take the more conservative value: the
     * older state, the earlier end of the horizon, the smaller number of samples.
     */
    EtaDocument with(EtaDocument other) {
        Map<String, Times> joined = new HashMap<>(jobs);
        joined.putAll(other.jobs);
        return new EtaDocument(facts.with(other.facts), joined);
    }

    /**
     * ETAs of a job.
     *
     * @param start null if the plan already ran it
     */
    record Times(@Nullable Eta start, Eta completion) {}
}
