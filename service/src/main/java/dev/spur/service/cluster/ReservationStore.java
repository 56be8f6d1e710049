package dev.spur.service.cluster;

import dev.spur.model.cluster.AvailableNode;
import dev.spur.model.cluster.Reservation;
import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.security.AccessScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reservations. */
@Repository
public class ReservationStore extends NamedResourceTable<TimedReservation> {
    private static final String COLUMNS = """
            name, nodes, tenant, starts_at as start, ends_at as end, job, lead_seconds, requested_pool as pool,
            requested_type as accelerator_type, requested_slots as count""";
    /**
     * Selects the reservations for a round. A reservation for a job that has ended is excluded, since it no longer
     * blocks other jobs.
     */
    public static final String IN_ROUNDS = "select " + COLUMNS + """
             from reservation r where job is null
               or exists (select from job j where j.id = r.job and is_active(j.state))
            order by name
            """;

    public ReservationStore(JdbcClient jdbc) {
        super(jdbc, TimedReservation.class, "reservation", "name", COLUMNS);
    }

    @Override
    protected String within(AccessScope reach, List<Object> parameters) {
        if (reach.tenants() == null) {
            return "";
        }
        parameters.add(reach.tenants().toArray(String[]::new));
        return " and (tenant is null or tenant = any(?))";
    }

    /** Reads a row of {@link #IN_ROUNDS}. */
    public static Reservation read(ResultSet row, int index) throws SQLException {
        return RecordMapper.of(TimedReservation.class).mapRow(row, index).inSeconds();
    }

    /**
     * Returns the schedulable nodes of the pool and accelerator type of {@code slots}, without other reservations and
     * without maintenance in the time range of {@code requested}.
     */
    public List<AvailableNode> open(TimedReservation requested, Reservation.Slots slots) {
        return jdbc.sql("""
                        select id, cardinality(devices) as slots, exists (
                            select from job j where is_active(j.state)
                              and j.allocation -> 'placement' @> jsonb_build_array(jsonb_build_object('node', n.id))
                              and j.id is distinct from :job and j.spec -> 'preemptible' = 'false') as non_preemptible
                        from node n
                        where pool = :pool and accelerator_type = :type and state = 'ACTIVE' and cardinality(devices) > 0
                          and not exists (
                            select from reservation r where n.id = any(r.nodes) and r.name <> :name
                              and coalesce(r.starts_at, '-infinity') < coalesce(cast(:end as timestamptz), 'infinity')
                              and coalesce(r.ends_at, 'infinity') > coalesce(cast(:start as timestamptz), '-infinity'))
                          and not exists (
                            select from maintenance_window w where (n.id = any(w.nodes) or n.pool = w.pool)
                              and w.starts_at < coalesce(cast(:end as timestamptz), 'infinity')
                              and w.ends_at > coalesce(cast(:start as timestamptz), now()))
                        order by seq
                        """)
                .param("job", requested.job())
                .param("pool", slots.pool())
                .param("type", slots.acceleratorType())
                .param("name", requested.name())
                .param("start", Rows.utc(requested.start()))
                .param("end", Rows.utc(requested.end()))
                .query(RecordMapper.of(AvailableNode.class))
                .list();
    }
}
