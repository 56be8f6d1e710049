package dev.spur.service.jobs;

import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.JobDependency;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Dependencies between jobs of a tenant. */
@Repository
public class DependencyStore {
    /** Key of the lock of changes, which together could close a cycle. */
    private static final long CHANGES = 0x646570656e6473L;

    // Each query repeats the condition of the partial index that it uses: PostgreSQL does not derive it.
    private static final String MEET = """
            with met as (
                update job set version = version + 1,
                    unmet_dependencies = array(select u from unnest(unmet_dependencies) u where not (u = any(:ids) and exists (
                        select from jsonb_array_elements(depends_on) d where d ->> 'job' = u and d ->> 'when' = any(:conditions))))
                where unmet_dependencies <> '{}' and unmet_dependencies && cast(:ids as text[]) and is_active(state) and exists (select from jsonb_array_elements(depends_on) d
                    where d ->> 'job' = any(unmet_dependencies) and d ->> 'job' = any(:ids) and d ->> 'when' = any(:conditions))
                returning id, unmet_dependencies)
            insert into job_event (job_id, kind, detail)
            select id, 'DEPENDENCIES_MET', '{}' from met where unmet_dependencies = '{}'
            """;
    private static final String BEGIN_WAIT = """
            update job set waiting_since = now(), unserved_since = now()
            where id in (select job_id from job_event where kind = 'DEPENDENCIES_MET' and transaction_id = pg_current_xact_id())
            """;
    /** Cancels the jobs that need the success of one of {@code :ids}, those that need theirs, and so on. */
    private static final String CANCEL = """
            with recursive lost as (
                select j.id, e.id as cause from unnest(cast(:ids as text[])) e (id) join job j
                    on j.unmet_dependencies <> '{}' and j.unmet_dependencies @> array[e.id] and is_active(j.state)
                    and j.depends_on @> jsonb_build_array(jsonb_build_object('job', e.id, 'when', 'SUCCEEDED'))
                union
                select j.id, l.id from lost l join job j
                    on j.unmet_dependencies <> '{}' and j.unmet_dependencies @> array[l.id] and is_active(j.state)
                    and j.depends_on @> jsonb_build_array(jsonb_build_object('job', l.id, 'when', 'SUCCEEDED'))),
            one as (select distinct on (id) id, cause from lost order by id, cause),
            canceled as (
                update job set state = 'CANCELLED', version = version + 1, ended_at = now() from one
                where job.id = one.id and is_active(state) and unmet_dependencies @> array[one.cause] returning job.id, cause, first_start),
            past as (
                update job_allocation set ended_at = now() where ended_at is null and job_id in (select id from canceled)),
            event as (
                insert into job_event (job_id, kind, detail)
                select c.id, 'CANCELLED', jsonb_build_object('cause', 'DEPENDENCY', 'job', c.cause, 'name', r.name,
                    'state', case when r.id = any(:ids) then cast(:state as text) else 'CANCELLED' end)
                from canceled c join job r on r.id = c.cause)
            select id, first_start is not null as ran from canceled
            """;

    private final JdbcClient jdbc;

    DependencyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Job that another one may depend on.
     *
     * @param started true if a plan has started it
     */
    public record RequiredJob(String id, String name, JobState state, boolean started) {
        /** Returns true if {@code when} is met. */
        public boolean meets(DependencyCondition when) {
            return switch (when) {
                case SUCCEEDED -> state == JobState.DONE;
                case ENDED -> state.hasEnded();
                case STARTED -> started || state.hasEnded();
            };
        }

        /** Returns true if {@code when} can never be met. */
        public boolean neverMeets(DependencyCondition when) {
            return when == DependencyCondition.SUCCEEDED && state.hasEnded() && state != JobState.DONE;
        }
    }

    /** Canceled job; {@code ran} if it has run before. */
    public record CanceledJob(String id, boolean ran) {}

    /**
     * Dependency of a job, with the other job.
     *
     * @param depth 1 for a dependency of the job itself, 2 for one of a job that it waits for, and so on
     */
    public record DependencyView(
            int depth, String jobId, String name, JobState state, DependencyCondition when, boolean met) {}

    /**
     * Returns those of {@code ids} that are jobs of the tenant, and locks them until the transaction ends. A concurrent
     * start or end waits, and then finds the new dependency.
     */
    public List<RequiredJob> keep(String tenant, Collection<String> ids) {
        return ids.isEmpty()
                ? List.of()
                : jdbc.sql("""
                                select id, name, state, first_start is not null as started from job
                                where id = any(?) and tenant = ? order by seq for share
                                """)
                        .params(ids.toArray(String[]::new), tenant)
                        .query(RecordMapper.of(RequiredJob.class))
                        .list();
    }

    /** Lets changes of dependencies of jobs wait until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void lockChanges() {
        jdbc.sql("select 1 from pg_advisory_xact_lock(?)")
                .param(CHANGES)
                .query(Integer.class)
                .single();
    }

    /**
     * Returns the names of the jobs on a path of unmet dependencies from one of {@code ids} to the job {@code target};
     * empty if there is none.
     */
    public Optional<List<String>> path(Collection<String> ids, String target) {
        return jdbc.sql("""
                        with recursive path as (
                            select id, unmet_dependencies, array[name] as names from job where id = any(:ids)
                            union all
                            select j.id, j.unmet_dependencies, p.names || j.name from path p join job j on j.id = any(p.unmet_dependencies)
                            where p.id <> :target)
                        select names from path where id = :target limit 1
                        """)
                .param("ids", ids.toArray(String[]::new))
                .param("target", target)
                .query((row, index) -> List.of((String[]) row.getArray(1).getArray()))
                .optional();
    }

    /** Replaces the dependencies of a job. Call this in the transaction that has locked the job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void replace(String id, List<JobDependency> dependencies, List<String> unmet) {
        jdbc.sql("""
                        update job set depends_on = cast(? as jsonb), unmet_dependencies = ?, version = version + 1 where id = ?
                        """)
                .params(RoundJson.mapper().writeValueAsString(dependencies), unmet.toArray(String[]::new), id)
                .update();
    }

    /**
     * Meets the dependencies on {@code ids} with one of the conditions, and adds an event to each job that has no other
     * one. The waiting time of such a job begins. Returns the number of these jobs.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public int meet(Collection<String> ids, DependencyCondition... conditions) {
        int free = jdbc.sql(MEET)
                .param("ids", ids.toArray(String[]::new))
                .param("conditions", Arrays.stream(conditions).map(Enum::name).toArray(String[]::new))
                .update();
        if (free > 0) {
            jdbc.sql(BEGIN_WAIT).update();
        }
        return free;
    }

    /**
     * Cancels the jobs that depend on the success of jobs that have ended otherwise, and in turn those that depend on
     * theirs.
     *
     * @param state final state of these jobs
     * @return the canceled jobs
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<CanceledJob> cancelDependents(Collection<String> ids, JobState state) {
        return jdbc.sql(CANCEL)
                .param("ids", ids.toArray(String[]::new))
                .param("state", state.name())
                .query(RecordMapper.of(CanceledJob.class))
                .list();
    }

    /**
     * Returns the dependencies of a job, then the unmet ones of the jobs that it waits for, and so on; at most
     * {@code limit}.
     */
    public List<DependencyView> dependencies(String id, int limit) {
        return jdbc.sql("""
                        with recursive chain as (
                            select 1 as depth, d ->> 'job' as job_id, d ->> 'when' as condition,
                                d ->> 'job' <> all (unmet_dependencies) as met
                            from job, jsonb_array_elements(depends_on) d where id = :id
                            union
                            select c.depth + 1, d ->> 'job', d ->> 'when', false
                            from chain c join job j on j.id = c.job_id, jsonb_array_elements(j.depends_on) d
                            where not c.met and d ->> 'job' = any (j.unmet_dependencies) and c.depth < 100)
                        select depth, job_id, name, state, condition as "when", met
                        from (select *, row_number() over (partition by job_id, condition order by depth) as number from chain) c
                            join job on id = job_id
                        where number = 1 order by depth, seq limit :limit
                        """)
                .param("id", id)
                .param("limit", limit)
                .query(RecordMapper.of(DependencyView.class))
                .list();
    }

    /** Returns the jobs that depend on a job, by submission; at most {@code limit}. */
    public List<DependencyView> dependents(String id, int limit) {
        return jdbc.sql("""
                        select 1 as depth, id as job_id, name, state, d ->> 'when' as "when", :id <> all (unmet_dependencies) as met
                        from job, jsonb_array_elements(depends_on) d
                        where depends_on <> '[]' and depends_on @> jsonb_build_array(jsonb_build_object('job', cast(:id as text))) and d ->> 'job' = :id
                        order by seq limit :limit
                        """)
                .param("id", id)
                .param("limit", limit)
                .query(RecordMapper.of(DependencyView.class))
                .list();
    }
}
