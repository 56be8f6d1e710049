package dev.spur.service.cluster;

import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.RecordMapper;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Maintenance windows. */
@Repository
public class MaintenanceStore extends NamedResourceTable<ScheduledMaintenance> {
    /** Arbitrary key of the advisory lock that serializes overlap checks of windows. */
    private static final int CALENDAR_LOCK = 7_406_018;

    /** Selects rows of {@link NodesInMaintenance}: windows that have not ended or that repeat. */
    public static final String AHEAD = """
            select name, starts_at as start, ends_at as end, lead_seconds, recurrence_rule as rule, time_zone,
                array(select n.id from node n where n.id = any(w.nodes) or n.pool = w.pool order by n.seq) as nodes
            from maintenance_window w where ends_at > now() or recurrence_rule is not null order by starts_at, name
            """;

    public MaintenanceStore(JdbcClient jdbc) {
        super(
                jdbc,
                ScheduledMaintenance.class,
                "maintenance_window",
                "name",
                "name, nodes, pool, starts_at as start, ends_at as end, lead_seconds, reason, recurrence_rule as rule, time_zone");
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

    /** Returns the names of the windows with a time in {@code range} after {@code now}, by name. */
    private List<String> overlapping(CalendarRange range, Instant now) {
        return all("name").stream()
                .filter(window -> window.range().overlaps(range, now))
                .map(ScheduledMaintenance::name)
                .toList();
    }

    /** Returns the ids of the nodes that are in maintenance at a time of {@code range} after {@code now}. */
    public Set<String> nodesIn(CalendarRange range, Instant now) {
        return Set.copyOf(jdbc.sql("""
                        select distinct n.id from node n join maintenance_window w on n.id = any(w.nodes) or n.pool = w.pool
                        where w.name = any(?)
                        """)
                .param(overlapping(range, now).toArray(String[]::new))
                .query(String.class)
                .list());
    }

    /**
     * Returns at most ten nodes of {@code window} that are also in an overlapping window after {@code now}, by node.
     */
    List<Overlap> overlapping(ScheduledMaintenance window, Instant now) {
        return jdbc.sql("""
                        select n.id as node, w.name as "window" from node n join maintenance_window w on n.id = any(w.nodes) or n.pool = w.pool
                        where (n.id = any(?) or n.pool = ?) and w.name <> ? and w.name = any(?)
                        order by n.seq, w.name limit 10
                        """)
                .param(window.nodes().toArray(String[]::new))
                .param(window.pool())
                .param(window.name())
                .param(overlapping(window.range(), now).toArray(String[]::new))
                .query(RecordMapper.of(Overlap.class))
                .list();
    }

    /** Returns the names of at most ten windows that list the node and have not ended at {@code now}, by name. */
    List<String> windowsOf(String node, Instant now) {
        return all("name").stream()
                .filter(window ->
                        window.nodes().contains(node) && window.range().at(now).isPresent())
                .map(ScheduledMaintenance::name)
                .limit(10)
                .toList();
    }
}
