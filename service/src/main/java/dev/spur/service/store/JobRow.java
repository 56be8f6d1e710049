package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Promise;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.json.RoundJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An active job, without its specification. */
record JobRow(
        String id,
        String tenant,
        double arrival,
        long specVersion,
        long learningVersion,
        double remainingSamples,
        @Nullable Double expectedSamples,
        @Nullable Double deadline,
        Promise promise,
        ServiceHistory history,
        long generation,
        @Nullable Allocation allocation,
        boolean held,
        boolean completing) {
    /** What a job still has to do whose work is reached but not yet reported done: something, so that it is worth its slots. */
    private static final double LAST_SAMPLE = 1;

    static List<JobRow> active(JdbcClient jdbc, double now) {
        return jdbc.sql("""
                        select id, tenant, submitted_at, spec_version, coalesce(l.version, 0) as learning,
                               coalesce(expected_samples, total_samples) - done_samples as remaining, expected_samples,
                               deadline, promise, attained_service, run_seconds, restarts, first_start, waiting_since, generation,
                               allocation::text as allocation,
                               held or coalesce(retry_at > now(), false) as held, state
                        from job left join (select job_id, version from job_learning) l on job_id = id
                        where state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING') order by seq
                        """).query((row, index) -> read(row, now)).list();
    }

    private static JobRow read(ResultSet row, double now) throws SQLException {
        String json = row.getString("allocation");
        Allocation allocation = json == null ? null : RoundJson.mapper().readValue(json, Allocation.class);
        Double deadline = Rows.seconds(row, "deadline");
        return new JobRow(
                row.getString("id"),
                row.getString("tenant"),
                Rows.secondsOf(row, "submitted_at"),
                row.getLong("spec_version"),
                row.getLong("learning"),
                Math.max(LAST_SAMPLE, row.getDouble("remaining")),
                row.getObject("expected_samples", Double.class),
                deadline,
                promise(row.getString("promise"), deadline),
                history(row, allocation, now),
                row.getLong("generation"),
                allocation,
                row.getBoolean("held"),
                row.getString("state").equals("COMPLETING"));
    }

    private static Promise promise(String stored, @Nullable Double deadline) {
        if (deadline == null) {
            return Promise.NONE;
        }
        Promise promise = Promise.valueOf(stored);
        return promise == Promise.NONE ? Promise.ASKED : promise;
    }

    /** What it has had up to now: the row counts up to the last change of its allocation. */
    private static ServiceHistory history(ResultSet row, @Nullable Allocation allocation, double now)
            throws SQLException {
        double held = allocation == null ? 0 : Math.max(0, now - allocation.since());
        int slots = allocation == null ? 0 : allocation.configuration().slots();
        return new ServiceHistory(
                row.getDouble("attained_service") + slots * held,
                row.getDouble("run_seconds") + held,
                row.getInt("restarts"),
                Rows.seconds(row, "first_start"),
                Rows.secondsOf(row, "waiting_since"));
    }

    /** True if no round may offer it anything. A job that only has to report its end is past holding. */
    boolean heldBack() {
        return held && !completing;
    }

    /** The job of this row. One that only has to report its end stays where it is. */
    Job job(JobSpec spec) {
        JobSpec asked = spec;
        if (expectedSamples != null && expectedSamples > 0) {
            asked = asked.edit()
                    .work(new Work(
                            WorkUnit.SAMPLES, expectedSamples, null, spec.work().targetLoss()))
                    .done();
        }
        if (completing && allocation != null) {
            asked = asked.edit().preemptible(false).done();
        }
        return new Job(id, tenant, arrival, asked, remainingSamples, deadline, promise, history, allocation);
    }
}
