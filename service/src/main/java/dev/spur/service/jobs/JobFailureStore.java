package dev.spur.service.jobs;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.Rows;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobLog.RankLog;
import dev.spur.service.jobs.RankOutput.OutOfMemory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Last failures of jobs, from their events and the ends of their ranks. */
@Repository
public class JobFailureStore {
    /** Number of last lines in a failure. */
    private static final int LINES = 50;

    private final JdbcClient jdbc;

    JobFailureStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the last failure of a job; empty if there was none, and once the job is done or canceled. Losses of
     * executors are not failures of the job.
     */
    public Optional<JobFailure> of(String job) {
        return jdbc.sql("""
                        select e.at, e.kind, e.detail::text as detail, r.*,
                            (select string_agg(c.text, '' order by c.seq) from job_log_chunk c
                                where c.job_id = r.job_id and c.generation = r.generation and c.rank = r.rank) as text
                        from job j
                        cross join lateral (
                            select at, kind, detail from job_event e
                            where e.job_id = j.id and (kind = 'FAILED' or kind = 'REQUEUED' and detail ->> 'cause' = 'FAILED')
                            order by id desc limit 1) e
                        left join lateral (
                            select * from job_log_rank r
                            where r.job_id = j.id and r.generation = cast(e.detail ->> 'generation' as bigint)
                                and r.exit_code <> 0 and not r.stopped
                            order by r.ended_at, r.rank limit 1) r on true
                        where j.id = ? and j.state not in ('DONE', 'CANCELLED')
                        """).param(job).query((row, index) -> read(row)).optional();
    }

    private static JobFailure read(ResultSet row) throws SQLException {
        Interruption detail = RoundJson.mapper().readValue(row.getString("detail"), Interruption.class);
        RankLog rank = row.getString("job_id") == null ? null : JobLogStore.read(row, LINES);
        Integer attempt = detail.failures();
        Integer restarts = detail.maxRestarts();
        Integer exitCode = rank == null ? code(detail.exitCode()) : rank.exitCode();
        Integer max = restarts == null ? null : Integer.valueOf(restarts + 1);
        return new JobFailure(
                attempt(attempt, max) + cause(detail, rank, exitCode),
                Objects.requireNonNull(Rows.instant(row, "at")),
                attempt,
                max,
                detail.generation(),
                rank == null ? detail.node() : rank.node(),
                rank == null ? null : (Integer) rank.rank(),
                exitCode,
                ExitCode.signal(exitCode),
                rank == null ? null : rank.outOfMemory(),
                rank == null ? List.of() : rank.lines());
    }

    private static @Nullable Integer code(@Nullable Long exitCode) {
        return exitCode == null ? null : Integer.valueOf(exitCode.intValue());
    }

    private static String attempt(@Nullable Integer attempt, @Nullable Integer max) {
        return attempt == null || max == null ? "" : "Attempt %d of %d failed. ".formatted(attempt, max);
    }

    private static String cause(Interruption detail, @Nullable RankLog rank, @Nullable Integer exitCode) {
        if (rank != null && exitCode != null) {
            return "Rank %d on node %s %s.%s"
                    .formatted(rank.rank(), rank.node(), ExitCode.predicate(exitCode), memory(rank.outOfMemory()));
        }
        String text = Objects.requireNonNullElse(detail.detail(), "");
        if (Interruption.TIME_LIMIT.equals(detail.cause())) {
            return text;
        }
        if (detail.node() != null) {
            String how = exitCode == null ? "failed" : ExitCode.predicate(exitCode);
            return "A process on node %s %s%s."
                    .formatted(detail.node(), how, text.isEmpty() ? "" : ": " + withoutDot(text));
        }
        String by = Objects.requireNonNullElse(detail.connector(), "");
        String reporter = by.isEmpty() ? "The executor" : "The platform of connector " + by;
        String reason = text.isEmpty() ? "" : ": " + withoutDot(text);
        return exitCode == null
                ? "%s reported a failure%s.".formatted(reporter, reason)
                : "%s reported that the job %s%s.".formatted(reporter, ExitCode.predicate(exitCode), reason);
    }

    private static String withoutDot(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    private static String memory(@Nullable OutOfMemory exhausted) {
        return exhausted == null
                ? ""
                : switch (exhausted) {
                    case HOST ->
                        " It ran out of host memory: request more with host.memoryGiBPerSlot, or reduce its use.";
                    case DEVICE ->
                        " It ran out of device memory: reduce batch.maxPerDevice, or restrict the job to larger accelerators.";
                };
    }
}
