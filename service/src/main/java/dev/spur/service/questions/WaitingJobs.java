package dev.spur.service.questions;

import dev.spur.model.round.PendingJob;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.PauseMessages;
import dev.spur.service.plans.PendingJobExplainer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Jobs as entries of the queue. */
@Repository
class WaitingJobs {
    private static final String COLUMNS = """
            select id, kind, name, tenant, owner, state, held, waiting_since, coalesce(allocated_since, waiting_since) as since,
                   case when retry_at > now() then retry_at end as retry_at,
                   case when not_before > now() then not_before end as not_before,
                   greatest(0, extract(epoch from now() - waiting_since)::double precision) as waiting_seconds,
                   case when unmet_dependencies = '{}' then '' else coalesce((
                       select string_agg(format(case d ->> 'when' when 'SUCCEEDED' then 'the success of %s (%s)'
                               when 'ENDED' then 'the end of %s (%s)' else 'the start of %s (%s)' end,
                               coalesce(p.name, 'array ' || a.name), coalesce(lower(p.state), a.size || ' jobs')), ', ' order by p.seq, a.seq)
                       from jsonb_array_elements(depends_on) d left join job p on p.id = d ->> 'job' left join job_array a on a.id = d ->> 'array'
                       where coalesce(p.id, a.id) = any(job.unmet_dependencies)), array_to_string(unmet_dependencies, ', ')) end as awaited,
            """ + PauseMessages.COLUMN + " from job";

    private final JdbcClient jdbc;

    WaitingJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Job in the queue, with the conditions that prevent its start.
     *
     * @param name display name
     * @param held true if the job is on hold
     * @param retryAt end of the pause after a failure; null without a pause
     * @param pauseCause cause of the pause as JSON; null without a pause
     * @param notBefore time before which no round starts it; null if there is none, or it has passed
     * @param waitingSince start of the last waiting period
     * @param since start of its allocation, or of its last waiting period
     * @param waitingSeconds length of the waiting period, by the clock of the database
     * @param awaited unmet dependencies in words; empty if there are none
     */
    record WaitingJob(
            String id,
            JobKind kind,
            String name,
            String tenant,
            String owner,
            String state,
            boolean held,
            @Nullable Instant retryAt,
            @Nullable String pauseCause,
            @Nullable Instant notBefore,
            Instant waitingSince,
            Instant since,
            double waitingSeconds,
            String awaited) {
        /** Returns why it waits, with the entry of the current plan; {@code position} is used without an entry. */
        PendingJob pendingReason(Optional<PendingJob> planned, int position) {
            return PendingJobExplainer.waits(id, held, retryAt, pauseCause, notBefore, awaited, planned, position);
        }

        /** Returns true if rounds must not start it. */
        public boolean heldBack() {
            return held || retryAt != null || notBefore != null || !awaited.isEmpty();
        }
    }

    /** Returns the waiting jobs, in order of submission. */
    public List<WaitingJob> all() {
        return jdbc.sql(COLUMNS + " where state in ('SUBMITTED', 'WAITING') order by seq")
                .query(RecordMapper.of(WaitingJob.class))
                .list();
    }

    /**
     * A job that holds slots.
     *
     * @param name display name
     * @param slots slots that it holds; a share of a device is that part of a slot
     */
    record Holder(String name, double slots) {}

    /** Returns the jobs of a tenant that hold slots of an accelerator type, those with most slots first. */
    public List<Holder> holders(String tenant, String acceleratorType) {
        return jdbc.sql("""
                        select name, slots_held(allocation, device_share) as slots
                        from job where allocation is not null and tenant = :tenant
                            and allocation #>> '{configuration,acceleratorType}' = :type
                        order by slots desc, seq
                        """)
                .param("tenant", tenant)
                .param("type", acceleratorType)
                .query(RecordMapper.of(Holder.class))
                .list();
    }

    /** Returns a job, whether it waits or not. */
    public Optional<WaitingJob> find(String id) {
        return jdbc.sql(COLUMNS + " where id = ?")
                .param(id)
                .query(RecordMapper.of(WaitingJob.class))
                .optional();
    }
}
