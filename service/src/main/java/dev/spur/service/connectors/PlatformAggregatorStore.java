package dev.spur.service.connectors;

import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.reconcile.AggregatorLedger.Line;
import dev.spur.connectors.reconcile.AggregatorLedger.Place;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Aggregators that run on the platforms of connectors. */
@Repository
class PlatformAggregatorStore {
    private static final String SELECT = """
            select label as mark, node, number, pool, port, key, closing, request_deadline, request_accepted as accepted,
                   case when host is null then 'null'
                       else jsonb_build_object('host', host, 'port', host_port, 'since', observed_since) end as place,
                   failures, detail, last_request_at is not null as called
            from platform_aggregator
            """;

    private final JdbcClient jdbc;

    PlatformAggregatorStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Aggregator of a platform.
     *
     * @param called true if it has requested its shards since it was observed at its current address
     */
    public record Row(Line line, boolean called) {
        /** Returns true if workers may send to it. */
        public boolean isReady() {
            return called && !line.closing() && line.place().isPresent();
        }
    }

    /** Returns the aggregators that the plan places on nodes of a connector. */
    public List<DesiredAggregator> desiredAggregators(String connector) {
        return jdbc.sql("""
                        select a.node, a.number, n.pool, a.port
                        from aggregator a join connector_node c on c.node = a.node join node n on n.id = a.node
                        where c.connector = ? order by a.node, a.number
                        """)
                .param(connector)
                .query(RecordMapper.of(DesiredAggregator.class))
                .list();
    }

    /** Returns all aggregators of a connector, the oldest first. */
    public List<Row> of(String connector) {
        return jdbc.sql(SELECT + " where connector = ? order by seq")
                .param(connector)
                .query(RecordMapper.of(Row.class))
                .list();
    }

    /** Returns all aggregators. */
    public List<Row> all() {
        return jdbc.sql(SELECT + " order by seq")
                .query(RecordMapper.of(Row.class))
                .list();
    }

    /** Adds an entry. */
    public Line add(String connector, DesiredAggregator want) {
        return jdbc.sql("""
                        insert into platform_aggregator (connector, node, number, pool, port, detail) values (?, ?, ?, ?, ?, '')
                        returning label::text, key::text
                        """)
                .params(connector, want.node(), want.number(), want.pool(), want.port())
                .query((row, index) -> Line.create(row.getString("label"), want, row.getString("key")))
                .single();
    }

    /** Stores an entry. An aggregator without an address must request its shards again. */
    public void write(Line line) {
        Place place = line.place().orElse(null);
        jdbc.sql("""
                        update platform_aggregator
                        set closing = :closing, request_deadline = :until, request_accepted = :promised, host = :host, host_port = :port,
                            observed_since = :since, failures = :failures, detail = :detail,
                            last_request_at = case when host is not null and cast(:host as text) is null then null else last_request_at end
                        where label = cast(:mark as uuid)
                        """)
                .param("closing", line.closing())
                .param("until", Rows.utc(line.requestDeadline()))
                .param("promised", line.accepted())
                .param("host", place == null ? null : place.host())
                .param("port", place == null ? null : place.port())
                .param("since", place == null ? null : Rows.utc(place.since()))
                .param("failures", line.failures())
                .param("detail", line.detail())
                .param("mark", line.mark())
                .update();
    }

    /** Deletes an entry. */
    public void delete(String mark) {
        jdbc.sql("delete from platform_aggregator where label = cast(? as uuid)")
                .param(mark)
                .update();
    }

    /** Returns the aggregator with a key and records its request; empty if there is none or it is ending. */
    public Optional<DesiredAggregator> request(String key) {
        Optional<DesiredAggregator> found = jdbc.sql("""
                        select node, number, pool, port from platform_aggregator where key = cast(? as uuid) and not closing
                        """)
                .param(key)
                .query(RecordMapper.of(DesiredAggregator.class))
                .optional();
        // at most every 30 seconds, since the aggregator sends a request every second
        jdbc.sql("""
                        update platform_aggregator set last_request_at = now()
                        where key = cast(? as uuid) and not closing
                          and (last_request_at is null or last_request_at < now() - interval '30 seconds')
                        """).param(key).update();
        return found;
    }
}
