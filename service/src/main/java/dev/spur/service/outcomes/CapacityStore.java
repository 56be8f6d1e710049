package dev.spur.service.outcomes;

import dev.spur.model.history.CapacityChange;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** History of the number of slots by accelerator type. It has a row for each change. */
@Repository
class CapacityStore {
    private final JdbcClient jdbc;

    CapacityStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds a row for each type whose capacity differs from its last row. Returns the number of rows. */
    int record() {
        return jdbc.sql("""
                        insert into slot_capacity (accelerator_type, at, slots, unavailable)
                        with held as (
                            select piece.node, count(distinct device) as slots
                            from job, placement(allocation) piece, jsonb_array_elements_text(piece.devices) device
                            where is_active(state) and allocation is not null
                                and exists (select from node where node.state in ('CORDONED', 'DRAINING'))
                            group by 1),
                        current as (
                            select accelerator_type, sum(cardinality(devices)) as slots,
                                sum(greatest(0, cardinality(devices) - coalesce(held.slots, 0)))
                                    filter (where state in ('CORDONED', 'DRAINING')) as unavailable
                            from node left join held on held.node = node.id
                            where accelerator_type is not null and state <> 'LOST' group by accelerator_type),
                        last as (
                            select distinct on (accelerator_type) accelerator_type, slots, unavailable
                            from slot_capacity order by accelerator_type, at desc)
                        select coalesce(current.accelerator_type, last.accelerator_type), clock_timestamp(),
                            coalesce(current.slots, 0), coalesce(current.unavailable, 0)
                        from current full join last using (accelerator_type)
                        where (coalesce(current.slots, 0), coalesce(current.unavailable, 0))
                            is distinct from (last.slots, last.unavailable)
                        """).update();
    }

    /**
     * Returns the changes from {@code from} to {@code to}, after the last one of each type before, in order of time.
     */
    public List<CapacityChange> between(Instant from, Instant to) {
        return jdbc.sql("""
                        select accelerator_type, at, slots, unavailable from slot_capacity c
                        where at < :to and not exists (select from slot_capacity later
                            where later.accelerator_type = c.accelerator_type and later.at > c.at and later.at <= :from)
                        order by at
                        """)
                .param("from", Rows.utc(from))
                .param("to", Rows.utc(to))
                .query(RecordMapper.of(CapacityChange.class))
                .list();
    }
}
