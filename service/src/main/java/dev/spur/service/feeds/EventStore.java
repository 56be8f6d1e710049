package dev.spur.service.feeds;

import dev.spur.service.database.RecordMapper;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The log of the events of jobs and plans. Readers see its events in one order and never one before a position that
 * they have read: the log ends where the oldest transaction that still runs may add events.
 */
@Repository
public class EventStore {
    /** Above the number of every event. */
    private static final long MAX_NUMBER = 999_999_999_999L;

    private static final String FINAL = "transaction_id < pg_snapshot_xmin(pg_current_snapshot()) as is_final";
    private static final String AFTER = """
            select transaction_id::text::bigint as transaction, events.id as number, format('%%s-%%s', transaction_id, events.id) as id,
                date_trunc('milliseconds', at) as at, events.kind, job_id, job.name as job_name, job.tenant, events.detail, is_final from (
                (select transaction_id, id, at, kind, job_id, detail, %1$s
                 from job_event where (transaction_id, id) > (cast(:transaction as xid8), :number)
                 order by transaction_id, id limit :limit)
                union all
                (select transaction_id, 0, published_at, '%2$s', null,
                        jsonb_build_object('revision', revision, 'round', round_number), %1$s
                 from plan where transaction_id > cast(:transaction as xid8) order by transaction_id limit :limit)
            ) events left join job on job.id = job_id order by transaction_id, events.id limit :limit
            """.formatted(FINAL, ClusterEvent.PLAN_PUBLISHED);

    private final JdbcClient jdbc;

    EventStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A part of the log.
     *
     * @param events events in order, none of which a transaction that still runs can precede
     * @param waiting true if a transaction that still runs delays further events
     */
    public record Part(List<ClusterEvent> events, boolean waiting) {
        public Part {
            events = List.copyOf(events);
        }
    }

    /** Returns the first events after a position, at most {@code limit}. */
    public Part after(EventPosition position, int limit) {
        RecordMapper<ClusterEvent> mapper = RecordMapper.of(ClusterEvent.class);
        List<ClusterEvent> events = new ArrayList<>();
        long[] waiting = {0};
        jdbc.sql(AFTER)
                .param("transaction", Long.toString(position.transaction()))
                .param("number", position.number())
                .param("limit", limit)
                .query((ResultSet row) -> {
                    if (row.getBoolean("is_final")) {
                        events.add(mapper.mapRow(row, events.size()));
                    } else {
                        waiting[0]++;
                    }
                });
        return new Part(events, waiting[0] > 0);
    }

    /** Returns the position after all of these events. No event has been read beyond it. */
    public EventPosition end() {
        return new EventPosition(
                jdbc.sql("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1")
                        .query(Long.class)
                        .single(),
                MAX_NUMBER);
    }

    /**
     * Moves events of transactions that this database has not begun to the beginning of the log. A dump that was
     * restored into a new database contains such events; they would delay new events until then.
     */
    public void moveRestoredEvents() {
        for (String table : List.of("job_event", "plan")) {
            jdbc.sql(
                            "update " + table
                                    + " set transaction_id = '0' where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())")
                    .update();
        }
    }
}
