package dev.spur.service.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Dependencies between jobs of a tenant. */
@Repository
public class DependencyStore {
    /** Key of the lock of changes, which together could close a cycle. */
    private static final long CHANGES = 0x646570656e6473L;

    /** Condition {@code condition} on the job {@code m}. */
    private static final String MEETS = """
            case condition when 'SUCCEEDED' then m.state = 'DONE' when 'ENDED' then not is_active(m.state)
                else m.first_start is not null or not is_active(m.state) end""";
    /** Locks the arrays of jobs, so that the transaction that ends the last of their jobs finds the others ended. */
    private static final String LOCK_ARRAYS = """
            select id from job_array where id in (select array_id from job where id = any(?)) order by seq for no key update
            """;
    /** Conditions that all jobs of an array meet, each with its array. */
    private static final String MET_BY_ARRAYS = """
            select condition || ' ' || a.id from unnest(cast(? as text[])) a (id), unnest(cast(? as text[])) c (condition)
            where exists (select from job where unmet_dependencies <> '{}' and unmet_dependencies @> array[a.id])
                and not exists (select from job m where m.array_id = a.id and not %s)
            """.formatted(MEETS);

    // Each query repeats the condition of the partial index that it uses: PostgreSQL does not derive it.
    private static final String MEET = """
            with met as (
                update job set version = version + 1,
                    unmet_dependencies = array(select u from unnest(unmet_dependencies) u where not exists (
                        select from jsonb_array_elements(depends_on) d
                        where coalesce(d ->> 'job', d ->> 'array') = u and (d ->> 'when') || ' ' || u = any(:met)))
                where unmet_dependencies <> '{}' and unmet_dependencies && cast(:ids as text[]) and is_active(state) and exists (
                    select from jsonb_array_elements(depends_on) d
                    where coalesce(d ->> 'job', d ->> 'array') = any(unmet_dependencies)
                        and (d ->> 'when') || ' ' || coalesce(d ->> 'job', d ->> 'array') = any(:met))
                returning id, unmet_dependencies)
            insert into job_event (job_id, kind, detail)
            select id, 'DEPENDENCIES_MET', '{}' from met where unmet_dependencies = '{}'
            """;
    private static final String BEGIN_WAIT = """
            update job set waiting_since = now(), unserved_since = now()
            where id in (select job_id from job_event where kind = 'DEPENDENCIES_MET' and transaction_id = pg_current_xact_id())
            """;
    /** Cancels the jobs that need the success of one of the ended jobs {@code :ids}, or of all jobs of their arrays. */
    private static final String CANCEL = """
            with cause as materialized (
                select id as other, id, name, state from job where id = any(:ids)
                union all (
                    select distinct on (array_id) array_id, id, name, state from job
                    where array_id = any(:arrays) and not is_active(state) and state <> 'DONE' order by array_id, seq)),
            canceled as (
                update job set state = 'CANCELLED', version = version + 1, ended_at = now()
                where unmet_dependencies <> '{}' and unmet_dependencies && (cast(:ids as text[]) || cast(:arrays as text[]))
                    and is_active(state) and exists (select from jsonb_array_elements(depends_on) d
                        where d ->> 'when' = 'SUCCEEDED' and coalesce(d ->> 'job', d ->> 'array') = any(unmet_dependencies)
                            and coalesce(d ->> 'job', d ->> 'array') = any(cast(:ids as text[]) || cast(:arrays as text[])))
                returning id, (
                    select min(coalesce(d ->> 'job', d ->> 'array')) from jsonb_array_elements(depends_on) d
                    where d ->> 'when' = 'SUCCEEDED' and coalesce(d ->> 'job', d ->> 'array') = any(unmet_dependencies)
                        and coalesce(d ->> 'job', d ->> 'array') = any(cast(:ids as text[]) || cast(:arrays as text[]))) as other),
            past as (
                update job_allocation set ended_at = now() where ended_at is null and job_id in (select id from canceled)),
            event as (
                insert into job_event (job_id, kind, detail)
                select c.id, 'CANCELLED', jsonb_build_object('cause', 'DEPENDENCY', 'job', o.id, 'name', o.name, 'state', o.state)
                from canceled c join cause o using (other))
            select id from canceled
            """;

    private final JdbcClient jdbc;

    DependencyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Job, or all jobs of an array, that another job may depend on.
     *
     * @param succeeded true if each is done
     * @param ended true if each has ended
     * @param started true if a plan has started each, or it has ended
     * @param lost state of one that has ended without success; null for none
     */
    public record Prerequisite(
            String id,
            String name,
            boolean succeeded,
            boolean ended,
            boolean started,
            @Nullable JobState lost) {
        /** Returns true if {@code when} is met. */
        public boolean meets(DependencyCondition when) {
            return switch (when) {
                case SUCCEEDED -> succeeded;
                case ENDED -> ended;
                case STARTED -> started;
            };
        }
    }

    /**
     * Dependency of a job, with the other job or the array.
     *
     * @param depth 1 for a dependency of the job itself, 2 for one of a job that it waits for, and so on
     * @param jobId id of the other job; null for an array
     * @param arrayId id of the array; null for a job
     * @param state state of the other job; null for an array
     * @param remaining number of jobs of the array that do not meet the condition; null for a job
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DependencyView(
            int depth,
            @Nullable String jobId,
            @Nullable String arrayId,
            String name,
            @Nullable JobState state,
            @Nullable Integer remaining,
            DependencyCondition when,
            boolean met) {}

    /**
     * Returns those of the jobs and arrays that belong to the tenant, and locks them until the transaction ends. A
     * concurrent start or end waits, and then finds the new dependency.
     */
    public List<Prerequisite> keep(String tenant, Collection<StatedDependency> dependencies) {
        List<Prerequisite> all = new ArrayList<>();
        String[] jobs = ids(dependencies, StatedDependency::job);
        if (jobs.length > 0) {
            all.addAll(jdbc.sql("""
                            select id, name, state = 'DONE' as succeeded, not is_active(state) as ended,
                                first_start is not null or not is_active(state) as started,
                                case when not is_active(state) and state <> 'DONE' then state end as lost
                            from job where id = any(?) and tenant = ? order by seq for share
                            """)
                    .params(jobs, tenant)
                    .query(RecordMapper.of(Prerequisite.class))
                    .list());
        }
        String[] arrays = ids(dependencies, StatedDependency::array);
        if (arrays.length > 0) {
            jdbc.sql("select id from job_array where id = any(?) and tenant = ? order by seq for share")
                    .params(arrays, tenant)
                    .query(String.class)
                    .list();
            all.addAll(jdbc.sql("""
                            select a.id, a.name, bool_and(m.state = 'DONE') as succeeded, bool_and(not is_active(m.state)) as ended,
                                bool_and(m.first_start is not null or not is_active(m.state)) as started,
                                min(m.state) filter (where not is_active(m.state) and m.state <> 'DONE') as lost
                            from job_array a join job m on m.array_id = a.id
                            where a.id = any(?) and a.tenant = ? group by a.id, a.name
                            """)
                    .params(arrays, tenant)
                    .query(RecordMapper.of(Prerequisite.class))
                    .list());
        }
        return all;
    }

    private static String[] ids(
            Collection<StatedDependency> dependencies, Function<StatedDependency, @Nullable String> of) {
        return dependencies.stream().map(of).filter(Objects::nonNull).toArray(String[]::new);
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
     * Returns the names of the jobs and arrays on a path of unmet dependencies from {@code id} to the job
     * {@code target}, or to its array; empty if there is none.
     */
    public Optional<List<String>> path(String id, String target, @Nullable String array) {
        return jdbc.sql("""
                        with recursive node as not materialized (select id, name from job union all select id, name from job_array),
                        path as (
                            select id, array[name] as names from node where id = :id
                            union all
                            select n.id, p.names || n.name from path p
                                cross join lateral (
                                    select distinct u from job j, unnest(j.unmet_dependencies) u where j.id = p.id or j.array_id = p.id) next
                                join node n on n.id = u
                            where p.id <> :target and p.id is distinct from cast(:array as text))
                        select names from path where id in (:target, cast(:array as text)) limit 1
                        """)
                .param("id", id)
                .param("target", target)
                .param("array", array)
                .query((row, index) -> List.of((String[]) row.getArray(1).getArray()))
                .optional();
    }

    /** Replaces the dependencies of a job. Call this in the transaction that has locked the job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void replace(String id, List<StatedDependency> dependencies, List<String> unmet) {
        jdbc.sql("""
                        update job set depends_on = cast(? as jsonb), unmet_dependencies = ?, version = version + 1 where id = ?
                        """)
                .params(RoundJson.mapper().writeValueAsString(dependencies), unmet.toArray(String[]::new), id)
                .update();
    }

    /**
     * Locks the arrays of jobs until the transaction ends, and returns their ids. Call this after the jobs have
     * changed.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<String> lockArrays(Collection<String> ids) {
        return jdbc.sql(LOCK_ARRAYS)
                .param(ids.toArray(String[]::new))
                .query(String.class)
                .list();
    }

    /**
     * Meets the dependencies on {@code ids} with one of the conditions, and those on their arrays if all jobs of the
     * array meet it. Adds an event to each job that has no other one. The waiting time of such a job begins. Returns
     * the number of these jobs.
     *
     * @param arrays arrays of these jobs, which are locked
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public int meet(Collection<String> ids, List<String> arrays, DependencyCondition... conditions) {
        String[] names = Arrays.stream(conditions).map(Enum::name).toArray(String[]::new);
        List<String> others = new ArrayList<>(ids);
        List<String> met = new ArrayList<>();
        ids.forEach(id -> Arrays.stream(names).forEach(name -> met.add(name + " " + id)));
        if (!arrays.isEmpty()) {
            others.addAll(arrays);
            met.addAll(jdbc.sql(MET_BY_ARRAYS)
                    .params(arrays.toArray(String[]::new), names)
                    .query(String.class)
                    .list());
        }
        int free = jdbc.sql(MEET)
                .param("ids", others.toArray(String[]::new))
                .param("met", met.toArray(String[]::new))
                .update();
        if (free > 0) {
            jdbc.sql(BEGIN_WAIT).update();
        }
        return free;
    }

    /**
     * Cancels the jobs that depend on the success of jobs that have ended otherwise, and in turn those that depend on
     * theirs. Returns the ids of the canceled jobs.
     *
     * @param arrays arrays of the ended jobs, which are locked
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<String> cancelDependents(Collection<String> ids, List<String> arrays) {
        List<String> canceled = new ArrayList<>();
        List<String> open = List.copyOf(ids);
        List<String> ofOpen = arrays;
        while (!open.isEmpty()) {
            open = jdbc.sql(CANCEL)
                    .param("ids", open.toArray(String[]::new))
                    .param("arrays", ofOpen.toArray(String[]::new))
                    .query(String.class)
                    .list();
            canceled.addAll(open);
            ofOpen = open.isEmpty() ? List.of() : lockArrays(open);
        }
        return canceled;
    }

    /**
     * Returns the dependencies of a job, then the unmet ones of the jobs that it waits for, and so on; at most
     * {@code limit}.
     */
    public List<DependencyView> dependencies(String id, int limit) {
        return jdbc.sql("""
                        with recursive chain as (
                            select 1 as depth, d ->> 'job' as job_id, d ->> 'array' as array_id, d ->> 'when' as condition,
                                coalesce(d ->> 'job', d ->> 'array') <> all (unmet_dependencies) as met
                            from job, jsonb_array_elements(depends_on) d where id = :id
                            union
                            select c.depth + 1, d ->> 'job', d ->> 'array', d ->> 'when', false
                            from chain c join job j on j.id = c.job_id or j.array_id = c.array_id, jsonb_array_elements(j.depends_on) d
                            where not c.met and coalesce(d ->> 'job', d ->> 'array') = any (j.unmet_dependencies) and c.depth < 100)
                        select depth, job_id, c.array_id, coalesce(o.name, a.name) as name, o.state,
                            case when a.id is not null then (
                                select count(*)::int from job m where m.array_id = a.id and not %s) end as remaining,
                            condition as "when", met
                        from (select *, row_number() over (partition by job_id, array_id, condition order by depth) as number from chain) c
                            left join job o on o.id = job_id left join job_array a on a.id = c.array_id
                        where number = 1 and coalesce(o.id, a.id) is not null order by depth, coalesce(o.seq, a.seq) limit :limit
                        """.formatted(MEETS))
                .param("id", id)
                .param("limit", limit)
                .query(RecordMapper.of(DependencyView.class))
                .list();
    }

    /** Returns the jobs that depend on a job or its array, by submission; at most {@code limit}. */
    public List<DependencyView> dependents(String id, int limit) {
        return jdbc.sql("""
                        with other as (select id, array_id from job where id = :id)
                        select 1 as depth, j.id as job_id, null as array_id, j.name, j.state, cast(null as integer) as remaining, d ->> 'when' as "when",
                            coalesce(d ->> 'job', d ->> 'array') <> all (unmet_dependencies) as met
                        from other o join job j on depends_on <> '[]'
                                and (depends_on @> jsonb_build_array(jsonb_build_object('job', o.id))
                                    or depends_on @> jsonb_build_array(jsonb_build_object('array', o.array_id))),
                            jsonb_array_elements(depends_on) d
                        where coalesce(d ->> 'job', d ->> 'array') in (o.id, o.array_id)
                        order by seq limit :limit
                        """)
                .param("id", id)
                .param("limit", limit)
                .query(RecordMapper.of(DependencyView.class))
                .list();
    }
}
