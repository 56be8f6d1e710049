package dev.spur.service.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What members of a gang wait for: each other, and those who still hold what they are to get. */
@Repository
public class GangStore {
    /**
     * What is in the way of assignment a: another gang on a device of it, or an older generation of its job anywhere.
     */
    private static final String BLOCKERS = """
            select b.job_id, b.generation, b.node, b.devices, a.job_id as of_job, a.generation as of_generation, a.node as of_node
            from assignment a join assignment b on b.job_id = a.job_id and b.generation <> a.generation
            where b.state in ('STARTING', 'RUNNING', 'STOPPING') and a.state in ('OFFERED', 'ACCEPTED') and %1$s
            union
            select b.job_id, b.generation, b.node, b.devices, a.job_id, a.generation, a.node
            from assignment a join assignment b on b.node = a.node and b.job_id <> a.job_id and b.devices && a.devices
            where b.state in ('STARTING', 'RUNNING', 'STOPPING') and a.state in ('OFFERED', 'ACCEPTED') and %1$s
            """;

    /** What is asked of assignment {@code :job}, {@code :generation} and {@code :node}: a {@link StartReadiness}. */
    static final String WAY = """
            select exists (%s) as blocked, %s as quiet, not exists (
                select from assignment m
                where m.job_id = :job and m.generation = :generation and m.node <> :node
                  and m.state not in ('ACCEPTED', 'STARTING', 'RUNNING')) as others_ready
            """.formatted(
                    BLOCKERS.formatted("a.job_id = :job and a.generation = :generation and a.node = :node"),
                    RestoreConditions.QUIET);

    private final JdbcClient jdbc;

    GangStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * An assignment that is in the way of another one.
     *
     * @param of the one that waits
     * @param key the one that is in the way
     * @param devices what it holds
     */
    public record Blocker(AssignmentKey of, AssignmentKey key, List<String> devices) {}

    /** What is in the way of assignments of the nodes, the parameter {@code :nodes}, that have not been started. */
    static String blockersOn(Collection<String> nodes) {
        return BLOCKERS.formatted(AssignmentStore.on(nodes)) + " order by job_id, generation, node";
    }

    static Blocker blocker(ResultSet row, int index) throws SQLException {
        return new Blocker(
                new AssignmentKey(row.getString("of_job"), row.getLong("of_generation"), row.getString("of_node")),
                new AssignmentKey(row.getString("job_id"), row.getLong("generation"), row.getString("node")),
                Rows.strings(row, "devices"));
    }

    /**
     * What an assignment that has not been started may have to wait for.
     *
     * @param blocked true if something is in its way
     * @param quiet true if the database was restored just now
     * @param othersReady true if all others of its gang have accepted
     */
    public record StartReadiness(boolean blocked, boolean quiet, boolean othersReady) {}

    static StartReadiness way(ResultSet row, int index) throws SQLException {
        return new StartReadiness(row.getBoolean("blocked"), row.getBoolean("quiet"), row.getBoolean("others_ready"));
    }

    /** An allocation of a job. */
    public record Gang(String jobId, long generation) {}

    /**
     * Ends assignments that were never started and are no part of their job's allocation any more, but for those that
     * somebody else changes just now: this looks again soon, and whoever waits for rows of many may be waited for.
     */
    public void withdraw() {
        change("""
                not exists (select from job j where j.id = a.job_id and j.generation = a.generation and j.allocation is not null)
                """, """
                state = 'STOPPED', requested = true, changed_at = clock_timestamp(), detail = 'withdrawn before it was started'
                """);
    }

    /**
     * Remembers of gangs that wait for members only, since when that is so, but for those that somebody else changes
     * just now.
     */
    public void stampReady() {
        change("""
                a.ready_at is null and not exists (
                    select from assignment m join assignment b
                      on (b.job_id = m.job_id and b.generation <> m.generation)
                      or (b.node = m.node and b.job_id <> m.job_id and b.devices && m.devices)
                    where m.job_id = a.job_id and m.generation = a.generation
                      and b.state in ('STARTING', 'RUNNING', 'STOPPING'))
                """, "ready_at = clock_timestamp()");
    }

    /** Changes assignments a that have not been started and of which {@code condition} holds. */
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

    /**
     * Gangs that have waited for a member for longer than {@code seconds}: to accept since nothing has been in the way,
     * or to start since the last step of any of them. None while executors of a restored database have time to say what
     * they run.
     */
    public List<Gang> late(double seconds) {
        return jdbc.sql("""
                        select a.job_id, a.generation from assignment a
                        join job j on j.id = a.job_id and j.generation = a.generation and j.allocation is not null
                        where a.state in ('OFFERED', 'ACCEPTED') and not j.held and not %1$s
                        group by a.job_id, a.generation
                        having min(a.ready_at) filter (where a.state = 'OFFERED')
                                < %2$s - make_interval(secs => :seconds)
                            or (count(*) filter (where a.state = 'OFFERED') = 0 and (
                                select max(m.changed_at) from assignment m
                                where m.job_id = a.job_id and m.generation = a.generation)
                                < %2$s - make_interval(secs => :seconds))
                        order by a.job_id limit 1000
                        """.formatted(RestoreConditions.QUIET, DatabaseClockStore.STEADY_NOW))
                .param("seconds", seconds)
                .query((row, index) -> new Gang(row.getString("job_id"), row.getLong("generation")))
                .list();
    }

    /** Forgets assignments that ended long ago. */
    public void prune(int hours) {
        jdbc.sql("""
                        delete from assignment where state in ('STOPPED', 'FAILED', 'LOST')
                          and changed_at < now() - make_interval(hours => ?)
                        """).param(hours).update();
    }
}
