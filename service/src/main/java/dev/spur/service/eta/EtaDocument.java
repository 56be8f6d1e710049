package dev.spur.service.eta;

import dev.spur.model.Checks;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates as they are stored.
 *
 * @param revision of the plan that they begin with
 * @param stateAt when that plan's state was read
 * @param until up to when was replayed
 * @param samples how often
 * @param coverage the share of outcomes that bands should hold
 * @param rounds decisions that were made for it
 * @param policy who made them
 * @param medianSlowdown how much longer jobs are thought to run than stated, in the middle
 * @param spread standard deviation of the logarithm of that
 * @param arrivalsPerHour how many jobs are thought to come
 * @param cuts what was left out for lack of time, one sentence each
 * @param jobs by id: what is expected
 * @param preparations the same of jobs that prepare data; estimates from before there were any have none
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
        Map<String, Times> jobs,
        Map<String, Times> preparations) {
    EtaDocument {
        cuts = Checks.copy(cuts);
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
    }

    /**
     * This with the estimates of another planning domain. Of what is said of all jobs, the more careful word counts:
     * the older state, the nearer end, the fewer samples.
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
                joined(jobs, other.jobs),
                joined(preparations, other.preparations));
    }

    private static Map<String, Times> joined(Map<String, Times> some, Map<String, Times> others) {
        Map<String, Times> joined = new HashMap<>(some);
        joined.putAll(others);
        return joined;
    }

    /**
     * What is expected of a job.
     *
     * @param start null if it ran by the plan
     * @param completion when it is done
     */
    record Times(@Nullable Eta start, Eta completion) {}
}
