package dev.spur.service.jobs;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.Rows;
import java.sql.Types;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Changes of a job by its owner and its executors. Every method must run in the transaction that has locked the row of
 * the job. {@link JobState} lists the writers of each state.
 */
@Repository
@Transactional(propagation = Propagation.MANDATORY)
public class JobTransitionStore {
    private static final String INSERT_EVENT =
            "insert into job_event (job_id, kind, detail) values (:id, :kind, cast(:detail as jsonb))";
    /** Adds an event in the statement that has changed the job. */
    private static final String INSERT_EVENT_OF_CHANGED =
            "insert into job_event (job_id, kind, detail) select id, :kind, cast(:detail as jsonb) from changed";

    /** Sets the earliest start to {@code :time}. The waiting time begins again if an earlier one has not come. */
    static final String POSTPONE = """
            not_before = :time, version = version + 1,
                waiting_since = case when not_before > now() then now() else waiting_since end,
                unserved_since = case when not_before > now() then now() else unserved_since end
            """;

    private static final String HELD_SECONDS = "coalesce(greatest(0, extract(epoch from now() - allocated_since)), 0)";
    /** Releases the allocation and accounts the service. */
    static final String GIVE_UP = """
            allocation = null, resource_grant = null, allocated_since = null,
            attained_service = attained_service + coalesce(slots_held(allocation, device_share), 0) * %1$s,
            run_seconds = run_seconds + %1$s
            """.formatted(HELD_SECONDS);

    private static final String PAST =
            "update job_allocation set ended_at = now() where job_id = :id and ended_at is null";

    private final JdbcClient jdbc;

    JobTransitionStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Holds or releases a job. The waiting time of a data preparation begins with its release. */
    public void hold(String id, boolean held) {
        jdbc.sql("""
                        update job set held = :held, version = version + 1,
                            waiting_since = case when kind = 'DATA_PREPARATION' and not :held then now() else waiting_since end
                        where id = :id
                        """).param("held", held).param("id", id).update();
    }

    /** Moves a job to a state that is not final. */
    public void moveTo(String id, JobState state) {
        jdbc.sql("update job set state = ?, version = version + 1 where id = ?")
                .params(state.name(), id)
                .update();
    }

    /**
     * Ends a job: releases its allocation, accounts the service, and adds an event. A job without a fixed amount of
     * work then has the amount that it has done.
     *
     * @param detail detail of the event of the end
     */
    public void end(String id, JobState state, JobEventDetail detail) {
        jdbc.sql("""
                        with changed as (
                            update job set state = :state, version = version + 1, ended_at = now(),
                                expected_samples = case when :state = 'DONE' and (spec #>> '{work,estimated}' = 'true'
                                    or spec #>> '{work,targetLoss}' is not null) then done_work else expected_samples end, %s
                            where id = :id returning id)
                        %s; %s
                        """.formatted(GIVE_UP, INSERT_EVENT_OF_CHANGED, PAST))
                .param("id", id)
                .param("state", state.name())
                .param("kind", JobEventKind.ofEnd(state).name())
                .param("detail", json(detail))
                .update();
    }

    /**
     * Releases the allocation of a job outside of a plan after a failure. The job waits again, under a new generation,
     * so that decisions for the failed generation no longer apply.
     *
     * @param failures number of consecutive failures of the job itself
     * @param pauseSeconds time during which rounds do not start the job
     * @param detail detail of the event
     */
    public void requeue(String id, int failures, double pauseSeconds, JobEventDetail.Interruption detail) {
        jdbc.sql("""
                        with changed as (
                            update job set state = 'WAITING', version = version + 1, generation = greatest(generation, %s) + 1,
                                waiting_since = now(), failures = :failures,
                                retry_at = case when :pause > 0 then now() + make_interval(secs => :pause) end, %s
                            where id = :id returning id)
                        %s; %s
                        """.formatted(RestoreConditions.FLOOR, GIVE_UP, INSERT_EVENT_OF_CHANGED, PAST))
                .param("failures", failures)
                .param("pause", pauseSeconds)
                .param("id", id)
                .param("kind", JobEventKind.REQUEUED.name())
                .param("detail", json(detail))
                .update();
    }

    /** Returns the number of consecutive failures of the job itself. */
    public int failures(String id) {
        return jdbc.sql("select failures from job where id = ?")
                .param(id)
                .query(Integer.class)
                .single();
    }

    /** Releases the jobs whose pause is over. Returns their number. */
    @Transactional
    public int endPauses() {
        return jdbc.sql("update job set retry_at = null, version = version + 1 where retry_at <= now()")
                .update();
    }

    /** Begins the waiting time of the jobs whose {@code notBefore} has come. Returns their number. */
    @Transactional
    public int beginWaits() {
        return jdbc.sql("""
                        update job set waiting_since = now(), unserved_since = now(), version = version + 1
                        where waiting_since < not_before and is_active(state) and not_before <= now()
                        """).update();
    }

    /** Sets the time before which rounds do not start a job; null for none. */
    public void postpone(String id, @Nullable Instant notBefore) {
        jdbc.sql("update job set %s where id = :id".formatted(POSTPONE))
                .param("time", Rows.utc(notBefore), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("id", id)
                .update();
    }

    /**
     * Stores a report, and the time of the first progress of its generation. {@code done} is the work done at that
     * time: effective samples, or seconds.
     */
    public void report(String id, JobReport report, double done) {
        report(id, report, done, null);
    }

    /**
     * Stores a report, and a new estimate of the total work.
     *
     * @param expected new estimate of the total work; null if it is unchanged
     * @return stall of the restart that began the generation, in seconds; empty unless this is the first report with a
     *     step of the generation, and an earlier generation has reported one. While the job waited, it does not count.
     *     Empty for a generation with a warm start, whose training measures its stall
     */
    public OptionalDouble report(String id, JobReport report, double done, @Nullable Double expected) {
        JobReport.StepTimes times = report.stepTimes();
        Double stall = jdbc.sql("""
                        with before as (
                            select id, extract(epoch from now() - greatest(last_step_at, allocated_since))
                                - cast(:first as double precision) as stall
                            from job where id = :id and last_step_at is not null and last_step_generation < :generation
                              and not exists (select from assignment a
                                  where a.job_id = :id and a.generation = :generation and a.warm_up = 'READY')
                        ), progress as (
                            update job_allocation a set first_progress_at = now() from job j
                            where j.id = :id and a.job_id = j.id and a.generation = :generation and a.part = 0
                                and a.first_progress_at is null and cast(:samples as double precision) > j.raw_samples)
                        update job set done_work = :done,
                            raw_samples = coalesce(cast(:samples as double precision), raw_samples),
                            expected_samples = coalesce(cast(:expected as double precision), expected_samples),
                            report_generation = :generation, report_seq = :seq, activity = cast(:activity as jsonb),
                            observed_state = :state, observed_detail = :detail, observed_at = now(),
                            checkpoint_at = case when cast(:step as bigint) is distinct from checkpoint_step
                                    and cast(:step as bigint) is not null then now() else checkpoint_at end,
                            checkpoint_step = coalesce(cast(:step as bigint), checkpoint_step),
                            last_step_at = coalesce(now() - make_interval(secs => cast(:last as double precision)), last_step_at),
                            last_step_generation =
                                case when cast(:last as double precision) is null then last_step_generation else :generation end
                        where id = :id
                        returning (select cast(stall as double precision) from before)
                        """)
                .param("done", done)
                .param("expected", expected)
                .param("samples", report.samplesTotal())
                .param("generation", report.generation())
                .param("seq", report.seq())
                .param("activity", RoundJson.mapper().writeValueAsString(report.activity()))
                .param("state", report.state())
                .param("detail", report.detail())
                .param("step", report.lastCheckpointStep())
                .param("first", times == null ? null : times.firstSecondsAgo())
                .param("last", times == null ? null : times.lastSecondsAgo())
                .param("id", id)
                .query((row, index) -> row.getObject(1, Double.class))
                .optional()
                .orElse(null);
        return stall == null ? OptionalDouble.empty() : OptionalDouble.of(stall);
    }

    /** Records the end of the last step of a generation that no longer runs, unless a later generation has made one. */
    public void lastStep(String id, long generation, double secondsAgo) {
        jdbc.sql("""
                        update job set last_step_at = now() - make_interval(secs => :ago), last_step_generation = :generation
                        where id = :id and last_step_generation <= :generation
                        """)
                .param("ago", secondsAgo)
                .param("generation", generation)
                .param("id", id)
                .update();
    }

    /**
     * Returns whether the newest checkpoint has all samples of the job.
     *
     * @param otherwise result for a job that reports no checkpoints
     */
    public boolean isSaved(String id, boolean otherwise) {
        return jdbc.sql(
                        "select coalesce(checkpoint_samples >= raw_samples * (1 - 1e-9), :otherwise) from job where id = :id")
                .param("id", id)
                .param("otherwise", otherwise)
                .query(Boolean.class)
                .single();
    }

    /** Records the samples in the newest checkpoint of a generation, unless a later generation has saved one. */
    public void checkpoint(String id, long generation, double samples) {
        jdbc.sql("""
                        update job set checkpoint_samples = :samples, checkpoint_generation = :generation
                        where id = :id and (checkpoint_generation is null or checkpoint_generation < :generation
                            or checkpoint_generation = :generation and checkpoint_samples < :samples)
                        """)
                .param("id", id)
                .param("generation", generation)
                .param("samples", samples)
                .update();
    }

    /**
     * Adds an event if a generation begins with fewer samples, {@code samples}, than an earlier generation has saved.
     */
    public void addEventIfProgressFell(String id, long generation, double samples) {
        jdbc.sql("""
                        insert into job_event (job_id, kind, detail)
                        select id, 'PROGRESS_FELL', jsonb_build_object('generation', cast(:generation as bigint),
                            'samplesTotal', cast(:samples as double precision),
                            'checkpointGeneration', checkpoint_generation, 'checkpointSamples', checkpoint_samples)
                        from job where id = :id and checkpoint_generation < :generation
                            and checkpoint_samples * (1 - 1e-9) > :samples
                        """)
                .param("id", id)
                .param("generation", generation)
                .param("samples", samples)
                .update();
    }

    /** Updates the description and the deadline of a job. */
    public void describe(
            String id,
            String name,
            Map<String, String> labels,
            @Nullable Instant deadline,
            DeadlineStatus deadlineStatus) {
        jdbc.sql("""
                        update job set name = :name, labels = cast(:labels as jsonb), deadline = :deadline,
                            deadline_status = :deadlineStatus, version = version + 1
                        where id = :id
                        """)
                .param("name", name)
                .param("labels", RoundJson.mapper().writeValueAsString(labels))
                .param("deadline", Rows.utc(deadline), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("deadlineStatus", deadlineStatus.name())
                .param("id", id)
                .update();
    }

    /** Updates the specification of a job. */
    public void respecify(String id, String spec, double totalWork) {
        jdbc.sql("""
                        update job set spec = cast(? as jsonb), total_work = ?, version = version + 1 where id = ?
                        """).params(spec, totalWork, id).update();
    }

    /**
     * Updates the command of a job. The command applies at once if the job has no allocation, otherwise from the next
     * generation on.
     */
    public void command(String id, String command) {
        jdbc.sql("""
                        update job set next_command = nullif(cast(? as jsonb), command), version = version + 1 where id = ?
                        """).params(command, id).update();
    }

    /** Adds an event to the history of a job. */
    public void addEvent(String id, JobEventKind kind, JobEventDetail detail) {
        jdbc.sql(INSERT_EVENT)
                .param("id", id)
                .param("kind", kind.name())
                .param("detail", json(detail))
                .update();
    }

    /** Adds an event unless the job has one of this kind and generation. {@code detail} contains the generation. */
    public void addEventOnce(String id, JobEventKind kind, long generation, JobEventDetail detail) {
        boolean exists = jdbc.sql("""
                        select exists (select from job_event
                            where job_id = ? and kind = ? and cast(detail ->> 'generation' as bigint) = ?)
                        """)
                .params(id, kind.name(), generation)
                .query(Boolean.class)
                .single();
        if (!exists) {
            addEvent(id, kind, detail);
        }
    }

    /** Records that a change of the ranks of a job has failed. */
    public void rescaleFailed(String id) {
        jdbc.sql("update job set rescale_failed = true where id = ?").param(id).update();
    }

    private static String json(JobEventDetail detail) {
        return RoundJson.mapper().writeValueAsString(detail);
    }

    /** Returns the last allocation of a generation of a job; null if it is unknown. */
    public @Nullable Allocation allocation(String id, long generation) {
        return jdbc.sql("""
                        select allocation::text from job_allocation
                        where job_id = ? and generation = ? and part = 0 and allocation is not null
                        """)
                .params(id, generation)
                .query(String.class)
                .optional()
                .map(json -> RoundJson.mapper().readValue(json, Allocation.class))
                .orElse(null);
    }
}
