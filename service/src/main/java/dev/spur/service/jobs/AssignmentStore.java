package dev.spur.service.jobs;

import dev.spur.model.allocation.Allocation;
import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Offers assignments to executors and reads single assignments; {@link AssignmentState} lists the writers of their
 * states. Changes must run in a transaction.
 */
@Repository
public class AssignmentStore {
    /**
     * Condition that assignment {@code m} belongs to its gang. All ranks of the others have left by a change of the
     * ranks.
     */
    public static final String MEMBER = "(m.next_devices is distinct from '{}' or is_live(m.state))";

    /**
     * Condition that the processes on the devices of assignment {@code a} leave too little of them, if there are any.
     * An assignment with a share has one device.
     */
    public static final String TOO_LITTLE_IS_LEFT = """
            (a.device_share is null or a.device_share + (select sum(coalesce(c.device_share, 1)) from assignment c
                where c.node = a.node and c.devices && a.devices and holds_devices(c.state)
                  and (c.job_id <> a.job_id or c.generation <> a.generation)) > 1 + 1e-6)
            """;

    public static final String SELECT = """
            select a.job_id, a.generation, a.node, a.devices, a.device_share, a.node_rank, a.rank_offset, a.port,
                   a.resume_up_to, a.state, a.orphan, a.seq, a.pid, a.exit_code, a.detail, a.changed_at,
                   case when a.rescale > 0 then jsonb_build_object('number', a.rescale, 'next', a.next_devices, 'ranks', a.ranks,
                       'port', a.rescale_port, 'adopted', exists (
                           select from assignment m where m.job_id = a.job_id and m.generation = a.generation and m.node_rank = 0
                             and (m.rescale > a.rescale or m.rescale = a.rescale and m.next_devices is null))) end as rescale,
                   a.warm_up = 'PENDING' as warms_up,
                   extract(epoch from clock_timestamp() - a.changed_at) as age_seconds,
                   case when j.id is null then 'UNKNOWN'
                        when not is_active(j.state) then 'ENDED'
                        when j.generation <> a.generation and j.allocation is not null and not j.held and exists (
                            select from assignment n where n.job_id = a.job_id and n.generation = j.generation and n.warm_up = 'PENDING')
                          and not exists (select from assignment m where m.job_id = a.job_id and (
                            m.generation = j.generation and m.warm_up = 'FAILED'
                            or m.generation = a.generation and m.state <> 'RUNNING' and %s))
                            then 'UNTIL_NEXT_IS_READY'
                        when j.generation <> a.generation or j.allocation is null then 'SUPERSEDED'
                        when j.state = 'COMPLETING' and j.expected_samples is not null and j.done_work < j.total_work then 'TARGET_REACHED'
                        when j.held and j.state <> 'COMPLETING' then 'HELD'
                        else 'RUN' end as desired
            """.formatted(MEMBER);
    public static final String FROM = " from assignment a left join job j on j.id = a.job_id";

    /**
     * Selects the assignment of {@code :job}, {@code :generation} and {@code :node}, and locks it until the transaction
     * ends.
     */
    public static final String LOCK = SELECT + FROM
            + " where a.job_id = :job and a.generation = :generation and a.node = :node for no key update of a";
    /**
     * Selects the assignments of {@code :node} that have not ended, by job, and locks them until the transaction ends.
     */
    public static final String LOCK_LIVE = SELECT + FROM + " where a.node = :node and is_live(a.state)"
            + " order by a.job_id, a.generation for no key update of a";

    private final JdbcClient jdbc;
    private final JdbcTemplate batches;
    private final DemoNodes demoNodes;

    AssignmentStore(JdbcClient jdbc, JdbcTemplate batches, DemoNodes demoNodes) {
        this.jdbc = jdbc;
        this.batches = batches;
        this.demoNodes = demoNodes;
    }

    /**
     * Returns a condition that assignment {@code a} is on one of {@code nodes}, which must be bound to the parameter
     * {@code nodes}. For a list of unknown length PostgreSQL assumes a long one and plans again for a short one. That
     * takes longer than the query for one node.
     */
    public static String on(Collection<String> nodes) {
        return nodes.size() == 1 ? "a.node = :nodes" : "a.node = any(:nodes)";
    }

    /** Returns the value of the parameter {@code nodes}. */
    public static Object names(Collection<String> nodes) {
        return nodes.size() == 1 ? nodes.iterator().next() : nodes.toArray(String[]::new);
    }

    /**
     * Allocation whose assignments are offered to executors.
     *
     * @param warmsUp true if its processes start while the previous generation trains
     */
    public record Offer(String jobId, long generation, Allocation allocation, boolean warmsUp) {}

    /**
     * Offers each allocation once. Jobs without a command and those on simulated nodes are skipped, since executors do
     * not start them.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void offer(Collection<Offer> all) {
        List<Offer> offers = all.stream()
                .filter(offer -> !demoNodes.hold(offer.allocation()))
                .toList();
        if (offers.isEmpty()) {
            return;
        }
        Map<String, Start> starts = starts(offers.stream().map(Offer::jobId).toList());
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Offer offer : offers) {
            Start start = starts.get(offer.jobId());
            if (start != null) {
                rows.addAll(GangMember.rows(offer, start));
            }
        }
        batches.batchUpdate("""
                insert into assignment (job_id, generation, node, role, devices, aggregation_slots, node_rank, rank_offset,
                    port, resume_up_to, device_share) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                on conflict do nothing
                """, rows);
        warmUp(offers.stream().filter(Offer::warmsUp).toList());
    }

    /**
     * Orders the start of the processes of those assignments whose devices have room, while a generation of the job
     * runs.
     */
    private void warmUp(List<Offer> offers) {
        batches.batchUpdate(
                """
                        update assignment a set warm_up = 'PENDING'
                        where job_id = ? and generation = ?
                          and exists (select from assignment b where b.job_id = a.job_id and b.state = 'RUNNING')
                          and not exists (select from assignment b where b.node = a.node and b.devices && a.devices
                              and holds_devices(b.state) and %s)
                        """.formatted(TOO_LITTLE_IS_LEFT),
                offers.stream()
                        .map(offer -> new Object[] {offer.jobId(), offer.generation()})
                        .toList());
    }

    /** Ends the warm-up of assignments that are not ready after {@code seconds}: they start without one. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void endLateWarmUps(double seconds) {
        jdbc.sql("""
                        with late as (
                            select job_id, generation, node from assignment
                            where warm_up = 'PENDING' and changed_at < %s - make_interval(secs => :seconds)
                            for no key update skip locked)
                        update assignment a set warm_up = 'FAILED' from late
                        where a.job_id = late.job_id and a.generation = late.generation and a.node = late.node
                        """.formatted(DatabaseClockStore.STEADY_NOW))
                .param("seconds", seconds)
                .update();
    }

    /**
     * Values that all members of a gang share.
     *
     * @param resumeUpTo newest generation that was started before; null if none was
     * @param deviceShare share of its device that the job takes; null for whole devices
     */
    record Start(
            int port, @Nullable Long resumeUpTo, @Nullable Double deviceShare) {}

    /** Returns the starts of those of {@code jobs} that have a command. */
    private Map<String, Start> starts(List<String> jobs) {
        Map<String, Start> starts = new HashMap<>();
        jdbc.sql("""
                        select id, nextval('gang_port') as port, nullif(started_generation, 0) as resume, device_share
                        from job
                        where id = any(?) and command is not null
                        """).param(jobs.toArray(String[]::new)).query(row -> {
            starts.put(
                    row.getString("id"),
                    new Start(
                            row.getInt("port"),
                            Rows.number(row, "resume"),
                            row.getObject("device_share", Double.class)));
        });
        return starts;
    }

    /** Returns the allocations of jobs with commands whose assignments were not offered yet. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<Offer> unofferedAllocations() {
        return jdbc.sql("""
                        select id as job_id, generation, allocation, false as warms_up from job j
                        where state in ('RUNNING', 'COMPLETING') and command is not null and allocation is not null
                          and not exists (select from assignment a where a.job_id = j.id and a.generation = j.generation)
                        order by seq for no key update
                        """).query(RecordMapper.of(Offer.class)).list();
    }

    /** Returns the assignment and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<StoredAssignment> lock(AssignmentKey key) {
        return jdbc.sql(LOCK)
                .param("job", key.jobId())
                .param("generation", key.generation())
                .param("node", key.node())
                .query(RecordMapper.of(StoredAssignment.class))
                .optional();
    }

    /** Returns the assignments of a node that have not ended, by job, and locks them until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<StoredAssignment> lockLive(String node) {
        return jdbc.sql(LOCK_LIVE)
                .param("node", node)
                .query(RecordMapper.of(StoredAssignment.class))
                .list();
    }

    /** Returns the command that started the processes of a generation, as JSON; null if it is unknown. */
    public @Nullable String command(AssignmentKey key) {
        return jdbc.sql("""
                        select coalesce(h.command, j.command)::text as command from job j
                        left join job_allocation h on h.job_id = j.id and h.generation = ? and h.part = 0 where j.id = ?
                        """)
                .params(key.generation(), key.jobId())
                .query(String.class)
                .optional()
                .orElse(null);
    }

    /** Returns the members of a gang, the first worker first. */
    public List<StoredAssignment> gang(String jobId, long generation) {
        return jdbc.sql(SELECT + FROM + " where a.job_id = ? and a.generation = ? order by a.node_rank, a.node")
                .params(jobId, generation)
                .query(RecordMapper.of(StoredAssignment.class))
                .list();
    }

    /** Returns the changes that plans ordered for a generation; empty if it has no assignment. */
    public Optional<OrderedChanges> orderedChanges(String jobId, long generation) {
        return jdbc.sql("""
                        select max(a.rescale) as rescales, bool_or(a.warm_up is not null) as migrates,
                            coalesce(extract(epoch from clock_timestamp() - (
                                select min(h.started_at) from job_allocation h
                                where h.job_id = :job and h.generation = :generation)), 0)::double precision as age_seconds
                        from assignment a where a.job_id = :job and a.generation = :generation having count(*) > 0
                        """)
                .param("job", jobId)
                .param("generation", generation)
                .query(RecordMapper.of(OrderedChanges.class))
                .optional();
    }

    /**
     * Returns the assignments of a node that have not ended, and those that ended in the last hour, the newest last.
     */
    public List<StoredAssignment> recent(String node) {
        return jdbc.sql(SELECT + FROM + " where a.node = ? and (is_live(a.state)"
                        + " or a.changed_at > now() - interval '1 hour') order by a.changed_at, a.job_id limit 1000")
                .param(node)
                .query(RecordMapper.of(StoredAssignment.class))
                .list();
    }
}
