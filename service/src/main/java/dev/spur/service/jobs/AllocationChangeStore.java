package dev.spur.service.jobs;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Changes of the allocations of all jobs, read from the history of allocations. */
@Repository
public class AllocationChangeStore {
    /** Key of the first page: above each id, because an id begins with a year. */
    public static final String FIRST = "~";

    /**
     * Condition that an allocation {@code a} is a restart: an earlier generation of the job had slots, and the
     * allocation is not a part of its generation with other ranks.
     */
    public static final String RESTARTED = """
            exists (select from job_allocation earlier where earlier.job_id = a.job_id
                and earlier.generation < a.generation and earlier.allocation is not null)
            and not exists (select from job_allocation earlier where earlier.job_id = a.job_id
                and earlier.generation = a.generation and earlier.started_at < a.started_at)
            """;

    /**
     * Selects the changes in a range. An allocation follows another at once if their times differ by less than a
     * second: a stop outside of a plan uses another clock. The id begins with the time, so that it sorts.
     */
    private static final String CHANGES = """
            with bounds as (select coalesce(cast(? as timestamptz), coalesce(cast(? as timestamptz), now()) - interval '1 hour') as since,
                    coalesce(cast(? as timestamptz), 'infinity') as until),
            concerned as (
                select a.*, j.name, j.tenant, j.ended_at as job_ended, j.report_generation,
                    lag(a.allocation) over job_order as last_allocation, lag(a.ended_at) over job_order as last_end,
                    lead(a.started_at) over job_order as next_start,
                    """ + RESTARTED + """
                     as is_restart
                from job_allocation a join job j on j.id = a.job_id
                where a.job_id in (select job_id from job_allocation, bounds
                        where started_at < until and (ended_at is null or ended_at >= since)) %s
                window job_order as (partition by a.job_id order by a.started_at, a.generation, a.part desc)),
            changes as (
                select started_at as at, job_id, name, tenant, change, plan_revision, message,
                    case when last_end >= started_at - interval '1 second' then last_allocation end as before, allocation as after,
                    allocation is not null and is_restart as restart,
                    case when allocation is not null and is_restart and report_generation > 0
                        then extract(epoch from least(first_progress_at, ended_at) - started_at)::double precision end as stall_seconds
                from concerned where change <> 'KEEP'
                union all
                select ended_at, job_id, name, tenant, case when job_ended is null or next_start is not null then 'REQUEUE' else 'END' end,
                    null, null, allocation, null, false, null
                from concerned where allocation is not null and ended_at is not null
                    and (next_start is null or next_start > ended_at + interval '1 second'))
            select * from (select (to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '/' || job_id || '/' || change) collate "C" as id,
                date_trunc('milliseconds', at) as at, job_id, name as job_name, c.tenant, change, c.plan_revision, round.trigger,
                before::text as before, after::text as after, restart, stall_seconds, c.message
            from bounds, changes c left join plan on plan.revision = c.plan_revision left join round on round.number = plan.round_number
            where at >= since and at < until and (before is not null or after is not null)
) numbered where id < ?
            order by id desc limit ?
            """;

    private final JdbcClient jdbc;

    AllocationChangeStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns at most {@code limit} changes, the newest first.
     *
     * @param since start of the range; null for one hour before its end
     * @param until end of the range; null for now
     * @param job id of the job; null for all jobs
     * @param before id of the change that precedes them, or {@link #FIRST}
     */
    public List<AllocationChange> changes(
            AccessScope reach,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable String job,
            String before,
            int limit) {
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(Rows.utc(since));
        parameters.add(Rows.utc(until));
        parameters.add(Rows.utc(until));
        String ofJob = "";
        if (job != null) {
            ofJob = " and a.job_id = ?";
            parameters.add(job);
        }
        String within = ScopeCondition.jobs(reach, "j", parameters);
        parameters.add(before);
        parameters.add(limit);
        return jdbc.sql(CHANGES.formatted(ofJob + within))
                .params(parameters)
                .query(RecordMapper.of(AllocationChange.class))
                .list();
    }
}
