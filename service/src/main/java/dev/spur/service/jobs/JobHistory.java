package dev.spur.service.jobs;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.ChangeKind;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/** Events and past allocations of jobs. */
@Repository
public class JobHistory {
    private final JdbcClient jdbc;

    JobHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Event.
     *
     * @param id number of the event, ascending in time
     * @param at time of the event
     */
    public record Event(long id, Instant at, String kind, Map<String, Object> detail) {}

    /** Returns the first {@code limit} events of a job after number {@code after}. */
    public List<Event> events(String job, long after, int limit) {
        return jdbc.sql("""
                        select id, at, kind, detail from job_event where job_id = ? and id > ?
                        order by id limit ?
                        """)
                .params(job, after, limit)
                .query(RecordMapper.of(Event.class))
                .list();
    }

    /**
     * Past or current allocation of a job.
     *
     * @param planRevision revision of the plan that made it
     * @param change kind of the change from the previous allocation
     * @param allocation null if the allocation was released
     * @param startedAt start of the allocation
     * @param endedAt end of the allocation; null if it is current
     */
    public record HeldAllocation(
            long generation,
            long planRevision,
            ChangeKind change,

            @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
            @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
            @Nullable
            Allocation allocation,

            Instant startedAt,
            @Nullable Instant endedAt) {}

    /** Returns the last {@code limit} allocations of a job before generation {@code before}, the newest first. */
    public List<HeldAllocation> allocations(String job, long before, int limit) {
        return jdbc.sql("""
                        select generation, plan_revision, change, allocation::text as allocation, started_at, ended_at
                        from job_allocation where job_id = ? and generation < ? order by generation desc, part limit ?
                        """)
                .params(job, before, limit)
                .query(RecordMapper.of(HeldAllocation.class))
                .list();
    }

    /**
     * Allocation with its job.
     *
     * @param jobName display name of the job
     * @param held the allocation, which is never a release
     */
    public record Span(String jobId, String jobName, String tenant, HeldAllocation held) {}

    /**
     * Returns the first {@code limit} allocations that overlap a time range, by job and generation, after generation
     * {@code generation} of job {@code job}.
     *
     * @param since start of the range; null for one hour before its end
     * @param until end of the range; null for now
     */
    public List<Span> spans(
            AccessScope reach,
            @Nullable Instant since,
            @Nullable Instant until,
            String job,
            long generation,
            int limit) {
        List<Object> parameters = new ArrayList<>();
        parameters.add(Rows.utc(since));
        parameters.add(Rows.utc(until));
        parameters.add(Rows.utc(until));
        parameters.add(job);
        parameters.add(generation);
        String within = ScopeCondition.jobs(reach, "j", parameters);
        parameters.add(limit);
        return jdbc.sql("""
                        select a.job_id, j.name as job_name, j.tenant, a.generation, a.plan_revision, a.change,
                            a.allocation::text as allocation, a.started_at, a.ended_at
                        from job_allocation a join job j on j.id = a.job_id
                        where a.allocation is not null
                            and (a.ended_at is null
                                or a.ended_at > coalesce(cast(? as timestamptz), coalesce(cast(? as timestamptz), now()) - interval '1 hour'))
                            and a.started_at < coalesce(cast(? as timestamptz), 'infinity')
                            and (a.job_id, a.generation) > (?, ?)
                        """ + within + " order by a.job_id, a.generation, a.started_at limit ?")
                .params(parameters)
                .query(RecordMapper.of(Span.class))
                .list();
    }
}
