package dev.spur.service.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.json.RoundJson;
import dev.spur.service.assignment.RankChangeStore;
import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Reads and writes of jobs and nodes for the publication of a plan. Every method must run in its transaction. */
@Repository
@Transactional(propagation = Propagation.MANDATORY)
class PublicationStore {
    private static final String FACTS = """
            select id, state, greatest(generation, %s) + 1 as next_generation,
                   (held or coalesce(retry_at > now(), false) or depends_on <> '{}') and state <> 'COMPLETING' as held_back, generation, spec_version,
                   allocation is not null as holds, deadline_status, domain, %s as rescales from job
            """.formatted(RestoreConditions.FLOOR, RankChangeStore.RESCALES);

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;

    PublicationStore(JdbcClient jdbc, JdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /**
     * Job data that publication checks.
     *
     * @param state SUBMITTED, WAITING, RUNNING or COMPLETING; other states are not active
     * @param heldBack true if rounds must not start the job
     * @param generation number of its allocation
     * @param nextGeneration number of its next allocation
     * @param specVersion number of its specification
     * @param holds true if it has an allocation
     * @param domain planning domain of the job; null without planning domains, or if the job is unassigned
     * @param rescales true if its ranks run and do not change
     */
    public record PublicationJob(
            String id,
            String state,
            boolean heldBack,
            long generation,
            long nextGeneration,
            long specVersion,
            boolean holds,
            DeadlineStatus deadlineStatus,
            @Nullable String domain,
            boolean rescales) {}

    /**
     * Node data that publication checks.
     *
     * @param acceleratorType type of its devices; null if it has none
     * @param devices devices that are not quarantined
     */
    public record PublicationNode(
            String id, String pool, @Nullable String acceleratorType, NodeState state, Set<String> devices) {
        public PublicationNode {
            devices = Set.copyOf(devices);
        }
    }

    /** Returns the time of the transaction, by the clock of the database, truncated to milliseconds. */
    public Instant now() {
        return jdbc.sql("select date_trunc('milliseconds', now()) as now")
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "now")))
                .single();
    }

    /** Returns the active training jobs, by id. */
    public Map<String, PublicationJob> activeJobs() {
        return byId(jdbc.sql(FACTS
                        + " where kind = 'TRAINING' and state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')")
                .query(RecordMapper.of(PublicationJob.class))
                .list());
    }

    /**
     * Resources of a job that count against quotas and limits.
     *
     * @param group group whose limits apply; null for none
     */
    public record Holding(
            String jobId, String tenant, @Nullable String group, String acceleratorType, int slots) {}

    /** Returns the resources of every active job. */
    public List<Holding> holdings() {
        return jdbc.sql("""
                        select id as job_id, tenant, active_group as "group", allocation #>> '{configuration,acceleratorType}' as accelerator_type,
                               (select sum(jsonb_array_length(piece -> 'devices'))
                                from jsonb_array_elements(allocation -> 'placement') piece) as slots
                        from job where allocation is not null and state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')
                        """).query(RecordMapper.of(Holding.class)).list();
    }

    /** Returns those of the jobs that are active, by id, and locks them until the transaction ends. */
    public Map<String, PublicationJob> lockJobs(Collection<String> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return byId(jdbc.sql(FACTS + """
                         where id = any(?) and kind = 'TRAINING' and state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')
                        order by seq for no key update
                        """)
                .param(ids.toArray(String[]::new))
                .query(RecordMapper.of(PublicationJob.class))
                .list());
    }

    /** Returns those of the nodes that exist, by id, and locks them until the transaction ends. */
    public Map<String, PublicationNode> lockNodes(Collection<String> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return jdbc
                .sql("""
                        select id, pool, accelerator_type, state, array(select d from unnest(devices) d where d not in (
                            select device from device_health h where h.node = node.id and %s)) as devices
                        from node where id = any(?) order by seq for share
                        """.formatted(DeviceHealthStore.QUARANTINED))
                .param(ids.toArray(String[]::new))
                .query(RecordMapper.of(PublicationNode.class))
                .list()
                .stream()
                .collect(Collectors.toMap(PublicationNode::id, node -> node));
    }

    /** Applies the new allocations of jobs. {@code now} is the time of the plan in seconds since 1970. */
    public void apply(List<JobChange> changes, long planRevision, double now) {
        batches.batchUpdate(
                """
                update job set generation = ?, version = version + 1, allocation = cast(? as jsonb),
                    allocated_since = to_timestamp(?),
                    state = case when state = 'COMPLETING' then state when ? then 'RUNNING' else 'WAITING' end,
                    attained_service = attained_service + ?, run_seconds = run_seconds + ?, restarts = restarts + ?,
                    first_start = coalesce(first_start, to_timestamp(?)),
                    waiting_since = coalesce(to_timestamp(?), waiting_since)
                where id = ?
                """, changes.stream().map(change -> jobRow(change, now)).toList());
        List<JobChange> started =
                changes.stream().filter(change -> !change.rescales()).toList();
        batches.batchUpdate(
                "update job_allocation set ended_at = to_timestamp(?) where job_id = ? and ended_at is null",
                started.stream().map(c -> new Object[] {now, c.jobId()}).toList());
        batches.batchUpdate(
                """
                insert into job_allocation (plan_revision, change, allocation, started_at, job_id, generation)
                values (?, ?, cast(? as jsonb), to_timestamp(?), ?, ?)
                """, started.stream().map(c -> historyRow(c, planRevision, now)).toList());
        List<JobChange> rescaled = changes.stream().filter(JobChange::rescales).toList();
        batches.batchUpdate(
                """
                insert into job_allocation (job_id, generation, part, plan_revision, change, allocation, key, started_at, ended_at, first_progress_at)
                select job_id, generation, (select 1 + max(part) from job_allocation p
                        where p.job_id = h.job_id and p.generation = h.generation),
                    plan_revision, change, allocation, null, started_at, to_timestamp(?), first_progress_at
                from job_allocation h where job_id = ? and generation = ? and part = 0
                """,
                rescaled.stream()
                        .map(c -> new Object[] {now, c.jobId(), c.generation()})
                        .toList());
        batches.batchUpdate(
                """
                update job_allocation set plan_revision = ?, change = ?, allocation = cast(? as jsonb),
                    started_at = to_timestamp(?), first_progress_at = null
                where job_id = ? and generation = ? and part = 0
                """,
                rescaled.stream().map(c -> historyRow(c, planRevision, now)).toList());
    }

    /** Updates the placement of the aggregation of jobs that keep their generation. */
    public void changeInPlace(List<JobChange> changes) {
        batches.batchUpdate(
                "update job set allocation = cast(? as jsonb), version = version + 1 where id = ?",
                changes.stream()
                        .map(c -> new Object[] {json(c.after()), c.jobId()})
                        .toList());
        batches.batchUpdate(
                "update job_allocation set allocation = cast(? as jsonb) where job_id = ? and generation = ? and part = 0",
                changes.stream()
                        .map(c -> new Object[] {json(c.after()), c.jobId(), c.generation()})
                        .toList());
    }

    private static @Nullable Object[] jobRow(JobChange change, double now) {
        Allocation before = change.before();
        Allocation after = change.after();
        double held = before == null ? 0 : Math.max(0, now - before.since());
        int slots = before == null ? 0 : before.configuration().slots();
        Double since = after == null ? null : after.since();
        return new @Nullable Object[] {
            change.generation(),
            json(after),
            since,
            after != null,
            slots * held,
            held,
            change.restart() ? 1 : 0,
            since,
            after == null && before != null ? now : null,
            change.jobId()
        };
    }

    private static @Nullable Object[] historyRow(JobChange change, long planRevision, double now) {
        return new @Nullable Object[] {
            planRevision, change.change().name(), json(change.after()), now, change.jobId(), change.generation()
        };
    }

    /** Marks newly submitted jobs as waiting. */
    public void seen(Collection<String> ids) {
        jdbc.sql("update job set state = 'WAITING', version = version + 1 where id = any(?) and state = 'SUBMITTED'")
                .param(ids.toArray(String[]::new))
                .update();
    }

    /** Updates the deadline statuses. */
    public void setDeadlineStatuses(Map<String, DeadlineStatus> deadlineStatuses) {
        batches.batchUpdate(
                "update job set deadline_status = ?, version = version + 1 where id = ? and deadline is not null",
                deadlineStatuses.entrySet().stream()
                        .map(e -> new Object[] {e.getValue().name(), e.getKey()})
                        .toList());
    }

    /** Adds events. */
    public void addEvents(List<JobEventRow> events) {
        batches.batchUpdate(
                "insert into job_event (job_id, kind, detail) values (?, ?, cast(? as jsonb))",
                events.stream()
                        .map(e -> new Object[] {
                            e.jobId(), e.kind(), RoundJson.mapper().writeValueAsString(e.detail())
                        })
                        .toList());
    }

    /** Event of a job. */
    public record JobEventRow(String jobId, String kind, Map<String, Object> detail) {
        public JobEventRow {
            detail = Map.copyOf(detail);
        }
    }

    private static Map<String, PublicationJob> byId(List<PublicationJob> jobs) {
        return jobs.stream().collect(Collectors.toMap(PublicationJob::id, job -> job));
    }

    private static @Nullable String json(@Nullable Allocation allocation) {
        return allocation == null ? null : RoundJson.mapper().writeValueAsString(allocation);
    }
}
