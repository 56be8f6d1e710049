package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentStore;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Start conditions of gangs: all members have accepted, and all required devices have room. */
@Repository
class GangStore {
    /**
     * Selects the blockers of assignment {@code a}: other gangs that leave too little of its devices, or an older
     * generation of its job on any node.
     */
    private static final String BLOCKERS = """
            select b.job_id, b.generation, b.node, b.devices,
                jsonb_build_object('jobId', a.job_id, 'generation', a.generation, 'node', a.node) as "of"
            from assignment a join assignment b on b.job_id = a.job_id and b.generation <> a.generation
            where holds_devices(b.state) and a.state in ('OFFERED', 'ACCEPTED') and %1$s
            union
            select b.job_id, b.generation, b.node, b.devices,
                jsonb_build_object('jobId', a.job_id, 'generation', a.generation, 'node', a.node)
            from assignment a join assignment b on b.node = a.node and b.job_id <> a.job_id and b.devices && a.devices
            where holds_devices(b.state) and a.state in ('OFFERED', 'ACCEPTED') and %1$s and %2$s
            """;

    /** Selects the {@link StartReadiness} of the assignment {@code :job}, {@code :generation} and {@code :node}. */
    static final String READINESS = """
            select exists (%s) as blocked, %s as recovering, not exists (
                select from assignment m
                where m.job_id = :job and m.generation = :generation and m.node <> :node
                  and m.state not in ('ACCEPTED', 'STARTING', 'RUNNING') and %s) as others_ready
            """.formatted(
                    blockers("a.job_id = :job and a.generation = :generation and a.node = :node"),
                    RestoreConditions.QUIET,
                    AssignmentStore.MEMBER);

    private final JdbcClient jdbc;

    GangStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Assignment that blocks the start of another one.
     *
     * @param of the assignment that waits
     * @param key the assignment that blocks
     * @param devices devices that the blocking assignment holds
     */
    public record Blocker(
            @JsonIgnore AssignmentKey of, @JsonUnwrapped AssignmentKey key, List<String> devices) {}

    /** Returns a query for the blockers of unstarted assignments on the nodes of the parameter {@code :nodes}. */
    static String blockersOn(Collection<String> nodes) {
        return blockers(AssignmentStore.on(nodes)) + " order by job_id, generation, node";
    }

    private static String blockers(String which) {
        return BLOCKERS.formatted(which, AssignmentStore.TOO_LITTLE_IS_LEFT);
    }

    /**
     * Start conditions of an assignment that has not been started.
     *
     * @param blocked true if another assignment blocks the start
     * @param recovering true while the recovery from a restore is in progress
     * @param othersReady true if all other members of the gang have accepted
     */
    public record StartReadiness(boolean blocked, boolean recovering, boolean othersReady) {
        /** Conditions of an assignment whose start is not in question. */
        static final StartReadiness UNREAD = new StartReadiness(false, true, false);
    }

    /** Allocation of a job. */
    public record Gang(String jobId, long generation) {}

    /**
     * Ends assignments that were never started and are no longer part of the allocation of their job. Rows that another
     * transaction has locked are skipped: the next call finds them again, and waiting for many row locks can cause a
     * deadlock.
     */
    public void withdraw() {
        change("""
                not exists (select from job j where j.id = a.job_id and j.generation = a.generation and j.allocation is not null)
                """, """
                state = 'STOPPED', requested = true, changed_at = clock_timestamp(), detail = 'withdrawn before it was started'
                """);
    }

    /**
     * Records the time since which a gang waits only for its members, and deletes that of a job with a share whose room
     * another one has taken since then. Rows that another transaction has locked are skipped. The two conditions are
     * separate, because PostgreSQL joins by an alternative in quadratic time.
     */
    public void stampReady() {
        change(
                "a.ready_at is not null and a.device_share is not null and " + AssignmentStore.TOO_LITTLE_IS_LEFT,
                "ready_at = null");
        change("""
                a.ready_at is null and not exists (
                    select from assignment b
                    where b.job_id = a.job_id and b.generation <> a.generation
                      and is_live(b.state) and holds_devices(b.state))
                and not exists (
                    select from assignment m join assignment b
                      on b.node = m.node and b.job_id <> m.job_id and b.devices && m.devices
                    where m.job_id = a.job_id and m.generation = a.generation
                      and is_live(b.state) and holds_devices(b.state) and %s)
                """.formatted(AssignmentStore.TOO_LITTLE_IS_LEFT), "ready_at = clock_timestamp()");
    }

    /** Changes the unstarted assignments {@code a} that satisfy {@code condition}. */
    private void change(String condition, String change) {
        jdbc.sql("""
                        with free as (
                            select job_id, generation, node from assignment a
                            where a.state in ('OFFERED', 'ACCEPTED') and %s
                            for no key update of a skip locked)
                        update assignment a set %s from free
                        where a.job_id = free.job_id and a.generation = free.generation and a.node = free.node
                        """.formatted(condition, change)).update();
    }

    /** Returns the gangs whose ranks have been changing for longer than {@code seconds}. */
    public List<Gang> lateRescales(double seconds) {
        return jdbc.sql("""
                        select distinct m.job_id, m.generation from assignment m
                        join job j on j.id = m.job_id and j.generation = m.generation and j.allocation is not null
                        where m.next_devices is not null and %s and m.rescaled_at < %s - make_interval(secs => :seconds)
                        order by m.job_id limit 1000
                        """.formatted(AssignmentStore.MEMBER, DatabaseClockStore.STEADY_NOW))
                .param("seconds", seconds)
                .query(RecordMapper.of(Gang.class))
                .list();
    }

    /**
     * Returns the gangs that have waited for a member for longer than {@code seconds}, and that nothing blocks. The
     * time to accept runs since then. The time to start runs since the last transition of any member; with a share, at
     * least since then. The result is empty while executors of a restored database may still report their processes.
     */
    public List<Gang> lateGangs(double seconds) {
        return jdbc.sql("""
                        select a.job_id, a.generation from assignment a
                        join job j on j.id = a.job_id and j.generation = a.generation and j.allocation is not null
                        where a.state in ('OFFERED', 'ACCEPTED') and not j.held and not %1$s
                        group by a.job_id, a.generation
                        having bool_and(a.ready_at is not null) and (
                            min(a.ready_at) filter (where a.state = 'OFFERED') < %2$s - make_interval(secs => :seconds)
                            or (count(*) filter (where a.state = 'OFFERED') = 0 and greatest(max(a.ready_at) filter (where a.device_share is not null), (
                                select max(m.changed_at) from assignment m
                                where m.job_id = a.job_id and m.generation = a.generation))
                                < %2$s - make_interval(secs => :seconds)))
                        order by a.job_id limit 1000
                        """.formatted(RestoreConditions.QUIET, DatabaseClockStore.STEADY_NOW))
                .param("seconds", seconds)
                .query(RecordMapper.of(Gang.class))
                .list();
    }
}
