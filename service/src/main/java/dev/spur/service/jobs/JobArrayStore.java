package dev.spur.service.jobs;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.jobs.JobStore.Claim;
import dev.spur.service.jobs.JobStore.NewJob;
import dev.spur.service.jobs.StoredJob.JobDescriptor;
import dev.spur.service.jobs.StoredJob.JobRequest;
import dev.spur.service.security.AccessScope;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Arrays of jobs. A change of all jobs of an array is one statement. */
@Repository
public class JobArrayStore {
    /** Adds an array with its jobs and events; a single statement, so that all or none are added. */
    private static final String INSERT = """
            with cluster as (select version = :cluster as is_current, cast(:key as text) as key from cluster_version),
            claim as (
                insert into idempotency_key (caller, key, fingerprint, array_id)
                select :caller, key, :fingerprint, :array from cluster where is_current and key is not null
                on conflict do nothing returning 1),
            ready as (select 1 from cluster where is_current and (key is null or exists (select from claim))),
            capped as (
                insert into job_group (name, tenant, max_jobs)
                select :group, :tenant, :limit from ready where cast(:group as text) is not null),
            added_array as (
                insert into job_array (id, tenant, owner, name, indices, size, group_name)
                select :array, :tenant, :owner, :name, :indices, :size, :group from ready returning id),
            spec as materialized (
                select cast(:spec as jsonb) as spec, cast(:labels as jsonb) as labels, cast(:dependsOn as jsonb) as depends_on),
            element as (
                select id, index, cast(command as jsonb) as command
                from unnest(:ids, :numbers, :commands) as e (id, index, command)),
            added as (
                insert into job (id, tenant, owner, name, labels, spec, command, deadline, deadline_status, wait_for_hardware,
                                 not_before, depends_on, unmet_dependencies, state, total_work, generation, started_generation, array_id, array_index)
                select e.id, :tenant, :owner, format('%s-%s', cast(:name as text), e.index), spec.labels, spec.spec, e.command,
                       :deadline, :deadlineStatus, :waitForHardware, :notBefore, spec.depends_on, :unmet, 'SUBMITTED', :total, last, last,
                       added_array.id, e.index
                from added_array, spec, element e cross join lateral (
                    select coalesce(max(generation), 0) as last from job where e.command ->> 'checkpointDir' is not null
                        and tenant = :tenant and command ->> 'checkpointDir' = e.command ->> 'checkpointDir') earlier
                order by e.index
                returning id, seq),
            event as (
                insert into job_event (job_id, kind, detail)
                select id, 'SUBMITTED', jsonb_build_object('owner', cast(:owner as text)) from added order by seq)
            select exists (select from added_array) as added, is_current from cluster
            """;

    private static final String SELECT = """
            select seq, id, tenant, owner, name, indices, size, max_jobs as "limit", group_name, submitted_at, version,
                coalesce((select jsonb_object_agg(state, jobs) from (
                    select state, count(*) as jobs from job where array_id = a.id group by state) s), '{}') as states,
                count_held as held, slots, case when active = 0 then last_end end as ended_at,
                coalesce((select jsonb_agg(array_index) from (select array_index from job
                    where array_id = a.id and state = 'FAILED' order by array_index limit 20) f), '[]') as failed_indices
            from (select job_array.*, max_jobs from job_array left join job_group on job_group.name = group_name) a
                cross join lateral (
                    select count(*) filter (where held and is_active(state))::int as count_held, count(*) filter (where is_active(state)) as active,
                        max(ended_at) as last_end,
                        coalesce(sum(slots_held(allocation, device_share)), 0) as slots
                    from job where array_id = a.id) jobs
            where true""";
    /** Locks the active jobs of an array in the order of publication. */
    private static final String LOCK =
            "select id from job where array_id = ? and is_active(state) order by seq for no key update";

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations statements;

    JobArrayStore(JdbcClient jdbc, NamedParameterJdbcOperations statements) {
        this.jdbc = jdbc;
        this.statements = statements;
    }

    /**
     * Array at submission.
     *
     * @param job its jobs, apart from id, index and command
     * @param indices indices as stated
     * @param limit maximum number of its jobs that run at the same time; null for no limit
     * @param groupName name of the job group that holds the limit; null without one
     */
    public record NewArray(
            String id,
            NewJob job,
            String indices,
            @Nullable Integer limit,
            @Nullable String groupName,
            List<NewMember> members) {
        public NewArray {
            members = List.copyOf(members);
        }

        /** Returns this array with other unmet dependencies of its jobs. */
        public NewArray awaiting(List<String> others) {
            return new NewArray(id, job.awaiting(others), indices, limit, groupName, members);
        }
    }

    /**
     * Job of an array at submission.
     *
     * @param command its command as JSON; null without one
     */
    public record NewMember(String id, int index, @Nullable String command) {}

    /** Result of an insertion: whether the array was added, and whether the cluster was at the expected version. */
    public record ArrayAddition(boolean added, boolean isCurrent) {}

    /**
     * Adds an array with its jobs and their first events, and claims the key. Nothing is added if the cluster is not at
     * version {@code cluster}, or if the key is in use.
     *
     * @param others adds further statements to the round trip
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public ArrayAddition insert(NewArray array, @Nullable Claim claim, long cluster, Consumer<StatementBatch> others) {
        JobDescriptor descriptor = array.job().descriptor();
        JobRequest request = array.job().request();
        List<NewMember> members = array.members();
        StatementBatch batch = new StatementBatch(statements)
                .with("caller", claim == null ? "" : claim.caller())
                .with("key", claim == null ? null : claim.key())
                .with("fingerprint", claim == null ? "" : claim.fingerprint())
                .with("array", array.id())
                .with("group", array.groupName())
                .with("limit", array.limit())
                .with("indices", array.indices())
                .with("size", members.size())
                .with("ids", members.stream().map(NewMember::id).toArray(String[]::new))
                .with("numbers", members.stream().map(NewMember::index).toArray(Integer[]::new))
                .with("commands", members.stream().map(NewMember::command).toArray(String[]::new))
                .with("tenant", descriptor.tenant())
                .with("owner", descriptor.owner())
                .with("name", descriptor.name())
                .with("labels", RoundJson.mapper().writeValueAsString(descriptor.labels()))
                .with("spec", Objects.requireNonNull(request.spec()).text())
                .with("deadline", new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, Rows.utc(request.deadline())))
                .with("deadlineStatus", request.deadlineStatus().name())
                .with("waitForHardware", request.waitForHardware())
                .with("notBefore", new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, Rows.utc(request.notBefore())))
                .with("dependsOn", RoundJson.mapper().writeValueAsString(request.dependsOn()))
                .with("unmet", array.job().unmetDependencies().toArray(String[]::new))
                .with("total", array.job().totalWork())
                .with("cluster", cluster);
        var insertion = batch.query(INSERT, RecordMapper.of(ArrayAddition.class));
        others.accept(batch);
        batch.execute();
        return insertion.first().orElseThrow();
    }

    /** Returns the name of an active job of the tenant with one of the checkpoint directories. */
    public Optional<String> userOf(String tenant, List<String> checkpointDirs) {
        return checkpointDirs.isEmpty()
                ? Optional.empty()
                : jdbc.sql("""
                                select name from job where tenant = ? and command ->> 'checkpointDir' = any(?)
                                    and command ->> 'checkpointDir' is not null and is_active(state) limit 1
                                """)
                        .params(tenant, checkpointDirs.toArray(String[]::new))
                        .query(String.class)
                        .optional();
    }

    /** Returns the array with this id. */
    public Optional<JobArray> find(String id) {
        return jdbc.sql(SELECT + " and id = ?")
                .param(id)
                .query(RecordMapper.of(JobArray.class))
                .optional();
    }

    /**
     * Filter of a list of arrays.
     *
     * @param reach access scope of the caller
     * @param tenant tenant of the arrays; null for all
     * @param owner owner of the arrays; null for all
     * @param active true for arrays with an active job, false for ended ones; null for all
     */
    public record ArrayFilter(
            AccessScope reach,
            @Nullable String tenant,
            @Nullable String owner,
            @Nullable Boolean active) {}

    /** Returns the newest arrays submitted before number {@code before}, the newest first. */
    public List<JobArray> list(ArrayFilter filter, long before, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(before));
        StringBuilder sql = new StringBuilder(SELECT + " and seq < ?");
        sql.append(ScopeCondition.tenants(filter.reach(), "tenant", parameters));
        if (filter.tenant() != null) {
            sql.append(" and tenant = ?");
            parameters.add(filter.tenant());
        }
        if (filter.owner() != null) {
            sql.append(" and owner = ?");
            parameters.add(filter.owner());
        }
        if (filter.active() != null) {
            sql.append(" and (active > 0) = ?");
            parameters.add(filter.active());
        }
        parameters.add(limit);
        return jdbc.sql(sql.append(" order by seq desc limit ?").toString())
                .params(parameters)
                .query(RecordMapper.of(JobArray.class))
                .list();
    }

    /** Locks the active jobs of an array until the transaction ends, and returns their ids. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<String> lockActive(String id) {
        return jdbc.sql(LOCK).param(id).query(String.class).list();
    }

    /**
     * Cancels the locked jobs of an array, and returns their ids.
     *
     * @param by name of the caller
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<String> cancel(String id, String by) {
        return jdbc.sql("""
                        with canceled as (
                            update job set state = 'CANCELLED', version = version + 1, ended_at = now(), %s
                            where array_id = :id and is_active(state) returning id, seq),
                        past as (
                            update job_allocation set ended_at = now() where ended_at is null and job_id in (select id from canceled)),
                        event as (
                            insert into job_event (job_id, kind, detail)
                            select id, 'CANCELLED', jsonb_build_object('by', cast(:by as text)) from canceled order by seq)
                        select id from canceled order by seq
                        """.formatted(JobTransitionStore.GIVE_UP))
                .param("id", id)
                .param("by", by)
                .query(String.class)
                .list();
    }

    /**
     * Holds or releases the locked jobs of an array. A running job that is not preemptible is not held. Returns the
     * number of changed jobs.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public int hold(String id, boolean held, String by) {
        return jdbc.sql("""
                        with changed as (
                            update job set held = :held, version = version + 1
                            where array_id = :id and is_active(state) and held <> :held
                                and not (:held and allocation is not null and spec ->> 'preemptible' = 'false') returning id, seq)
                        insert into job_event (job_id, kind, detail)
                        select id, :kind, jsonb_build_object('by', cast(:by as text)) from changed order by seq
                        """)
                .param("id", id)
                .param("held", held)
                .param("kind", (held ? JobEventKind.HELD : JobEventKind.RELEASED).name())
                .param("by", by)
                .update();
    }

    /** Sets the priority class of the locked jobs of an array. Returns the number of changed jobs. */
    @Transactional(propagation = Propagation.MANDATORY)
    public int prioritize(String id, int priority) {
        return jdbc.sql("""
                        with changed as (
                            update job set spec = jsonb_set(spec, '{priority}', to_jsonb(cast(:priority as integer))), version = version + 1
                            where array_id = :id and is_active(state) and spec -> 'priority' <> to_jsonb(cast(:priority as integer))
                            returning id, seq)
                        insert into job_event (job_id, kind, detail)
                        select id, 'CHANGED', jsonb_build_object('what', 'job') from changed order by seq
                        """).param("id", id).param("priority", priority).update();
    }

    /** Sets the time before which rounds do not start the locked jobs of an array that wait; null for none. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void postpone(String id, @Nullable Instant notBefore) {
        jdbc.sql("""
                        with changed as (
                            update job set %s
                            where array_id = :id and state in ('SUBMITTED', 'WAITING') and not_before is distinct from :time returning id, seq)
                        insert into job_event (job_id, kind, detail)
                        select id, 'CHANGED', jsonb_build_object('what', 'job') from changed order by seq
                        """.formatted(JobTransitionStore.POSTPONE))
                .param("id", id)
                .param("time", Rows.utc(notBefore), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    /** Returns whether an active job of an array without a job group of its own names one. */
    public boolean isInOtherGroup(String id) {
        return jdbc.sql("""
                        select exists (select from job join job_array a on a.id = array_id
                            where array_id = ? and active_group is not null and a.group_name is null)
                        """).param(id).query(Boolean.class).single();
    }

    /** Adds the job group that holds the limit of an array, and its locked jobs to it, unless the array has one. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void addGroup(String id) {
        jdbc.sql("""
                        with added as (
                            insert into job_group (name, tenant) select 'array-' || id, tenant from job_array
                            where id = :id and group_name is null returning name),
                        array_in_group as (update job_array set group_name = added.name from added where id = :id)
                        update job set spec = jsonb_set(spec, '{group}', to_jsonb(added.name)), version = version + 1
                        from added where array_id = :id and is_active(state)
                        """).param("id", id).update();
    }

    /** Sets the limit of an array that has a job group; null for no limit. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void limit(String id, @Nullable Integer limit) {
        jdbc.sql("""
                        with changed as (update job_array set version = version + 1 where id = :id returning group_name)
                        update job_group set max_jobs = :limit, version = version + 1 from changed where name = group_name
                        """).param("id", id).param("limit", limit, Types.INTEGER).update();
    }
}
