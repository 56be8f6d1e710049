package dev.spur.service.cluster;

import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Maintenance windows. */
@Repository
public class MaintenanceStore extends NamedResourceTable<ScheduledMaintenance> {
    /** Arbitrary key of the advisory lock that serializes overlap checks of windows. */
    private static final int CALENDAR_LOCK = 7_406_018;

    /** Selects the windows that have not ended, with the existing nodes of each. */
    public static final String AHEAD = """
            select name, starts_at as start, ends_at as end, lead_seconds,
                array(select n.id from node n where n.id = any(w.nodes) or n.pool = w.pool order by n.seq) as nodes
            from maintenance_window w where ends_at > now() order by starts_at, name
            """;
    /** Selects the ids of the nodes that are in maintenance now. */
    public static final String MAINTAINED = """
            select n.id from node n join maintenance_window w on n.id = any(w.nodes) or n.pool = w.pool
            where w.starts_at <= now() and now() < w.ends_at
            """;

    public MaintenanceStore(JdbcClient jdbc) {
        super(
                jdbc,
                ScheduledMaintenance.class,
                "maintenance_window",
                "name",
                "name, nodes, pool, starts_at as start, ends_at as end, lead_seconds, reason");
    }

    /** Blocks other additions and changes of windows until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void lockCalendar() {
        jdbc.sql("select pg_advisory_xact_lock(?)").param(CALENDAR_LOCK).query(row -> {});
    }

    /**
     * Node that is in two overlapping windows.
     *
     * @param window name of the other window
     */
    public record Overlap(String node, String window) {}

    /** Returns at most ten nodes of {@code window} that are also in an overlapping window, by node. */
    public List<Overlap> overlapping(ScheduledMaintenance window) {
        return jdbc.sql("""
                        select n.id as node, w.name as "window" from node n join maintenance_window w on n.id = any(w.nodes) or n.pool = w.pool
                        where (n.id = any(?) or n.pool = ?) and w.name <> ? and w.starts_at < ? and w.ends_at > ?
                        order by n.seq, w.name limit 10
                        """)
                .param(window.nodes().toArray(String[]::new))
                .param(window.pool())
                .param(window.name())
                .param(Rows.utc(window.end()))
                .param(Rows.utc(window.start()))
                .query(RecordMapper.of(Overlap.class))
                .list();
    }

    /** Returns the names of the windows that list the node and have not ended. */
    public List<String> windowsOf(String node) {
        return jdbc.sql("""
                        select name from maintenance_window where ? = any(nodes) and ends_at > now() order by name limit 10
                        """).param(node).query(String.class).list();
    }
}
