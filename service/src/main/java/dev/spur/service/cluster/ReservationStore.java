package dev.spur.service.cluster;

import dev.spur.model.cluster.AvailableNode;
import dev.spur.model.cluster.Reservation;
import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reservations. */
@Repository
public class ReservationStore extends NamedResourceTable<TimedReservation> {
    private static final String COLUMNS = """
            name, nodes, tenant, starts_at as start, ends_at as end, job, lead_seconds, requested_pool as pool,
            requested_type as accelerator_type, requested_slots as count,
            recurrence_rule as rule, time_zone""";
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

    /** Returns the ids of the nodes with another reservation at a time of {@code requested} after {@code now}. */
    private Set<String> reservedNodes(TimedReservation requested, Instant now) {
        return all("name").stream()
                .filter(other ->
                        !other.name().equals(requested.name()) && other.range().overlaps(requested.range(), now))
                .flatMap(other -> other.nodes().stream())
                .collect(Collectors.toSet());
    }

    /**
     * Returns the schedulable nodes of the pool and accelerator type of {@code slots}, without other reservations in
     * the time range of {@code requested} after {@code now}.
     */
    public List<AvailableNode> open(TimedReservation requested, Reservation.Slots slots, Instant now) {
        Set<String> reserved = reservedNodes(requested, now);
        return jdbc
                .sql("""
                        select id, cardinality(devices) as slots, exists (
                            select from job j where is_active(j.state)
                              and j.allocation -> 'placement' @> jsonb_build_array(jsonb_build_object('node', n.id))
                              and j.id is distinct from :job and j.spec -> 'preemptible' = 'false') as non_preemptible
                        from node n
                        where pool = :pool and accelerator_type = :type and state = 'ACTIVE' and cardinality(devices) > 0
                        order by seq
                        """)
                .param("job", requested.job())
                .param("pool", slots.pool())
                .param("type", slots.acceleratorType())
                .query(RecordMapper.of(AvailableNode.class))
                .stream()
                .filter(node -> !reserved.contains(node.id()))
                .toList();
    }
}
