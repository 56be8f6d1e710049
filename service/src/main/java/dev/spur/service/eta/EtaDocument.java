package dev.spur.service.eta;

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
 * @param revision revision of the plan that the prediction begins with
 * @param stateAt time of that plan's snapshot
 * @param until end of the simulated horizon
 * @param samples number of simulations
 * @param coverage nominal coverage of the prediction intervals
 * @param rounds number of simulated decisions
 * @param policy simulated policy
 * @param medianSlowdown median ratio of actual to stated runtime
 * @param spread standard deviation of the logarithm of that ratio
 * @param arrivalsPerHour expected arrivals of jobs
 * @param cuts what was omitted for lack of time, one sentence each
 * @param jobs ETAs by job id, of training jobs and data preparations
 */
record EtaDocument(
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
        List<String> cuts,
        Map<String, Times> jobs) {
    EtaDocument {
        cuts = Checks.copy(cuts);
        jobs = Checks.copy(jobs);
    }

    /**
     * This document merged with that of another planning domain. Common facts take the more conservative value: the
     * older state, the earlier end of the horizon, the smaller number of samples.
     */
    EtaDocument with(EtaDocument other) {
        EtaDocument older = stateAt.isAfter(other.stateAt) ? other : this;
        return new EtaDocument(
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
                Stream.concat(cuts.stream(), other.cuts.stream()).distinct().toList(),
                joined(jobs, other.jobs));
    }

    private static Map<String, Times> joined(Map<String, Times> some, Map<String, Times> others) {
        Map<String, Times> joined = new HashMap<>(some);
        joined.putAll(others);
        return joined;
    }

    /**
     * ETAs of a job.
     *
     * @param start null if the plan already ran it
     * @param completion end of the job
     */
    record Times(@Nullable Eta start, Eta completion) {}
}
