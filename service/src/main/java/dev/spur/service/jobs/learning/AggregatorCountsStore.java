package dev.spur.service.jobs.learning;

import dev.spur.service.database.RecordMapper;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Last reported counters of the aggregators. The caller of a write must hold the lock on the executor of the node. */
@Repository
public class AggregatorCountsStore {
    private static final String SELECT = """
            select node, number, instance, seconds, cpu_seconds, utilization, shards as shards_by_job, reported_at from aggregator_counter
            """;

    private final JdbcClient jdbc;

    AggregatorCountsStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Report of an aggregator.
     *
     * @param utilization share of its slots that was busy between the last two reports; null before the second report
     */
    public record AggregatorReport(
            String node, AggregatorCounts counts, @Nullable Double utilization, Instant reportedAt) {}

    /**
     * Utilization of the aggregators with a recent report; 0 if there are none.
     *
     * @param mean busy share of all their slots
     * @param max busy share of the busiest aggregator
     */
    public record Utilization(double mean, double max) {}

    /** Returns the utilization of the aggregators. */
    public Utilization utilization() {
        return jdbc.sql("""
                        select coalesce(sum(utilization * cpus) / sum(cpus), 0) as mean, coalesce(max(utilization), 0) as max
                        from aggregator_counter join aggregator using (node, number)
                        where utilization is not null and reported_at > now() - interval '5 minutes'
                        """).query(RecordMapper.of(Utilization.class)).single();
    }

    /** Returns the last report of each aggregator. */
    public List<AggregatorReport> all() {
        return jdbc.sql(SELECT + " order by node, number")
                .query(RecordMapper.of(AggregatorReport.class))
                .list();
    }

    /** Returns the last report of an aggregator; empty if there is none. */
    public Optional<AggregatorReport> find(String node, int number) {
        return jdbc.sql(SELECT + " where node = ? and number = ?")
                .params(node, number)
                .query(RecordMapper.of(AggregatorReport.class))
                .optional();
    }

    /** Stores a report. */
    public void put(String node, AggregatorCounts counts, @Nullable Double utilization) {
        jdbc.sql("""
                        insert into aggregator_counter (node, number, instance, seconds, cpu_seconds, utilization, shards)
                        values (:node, :number, :instance, :seconds, :cpu_seconds, :utilization, :shards_by_job)
                        on conflict (node, number) do update set instance = excluded.instance, seconds = excluded.seconds,
                            cpu_seconds = excluded.cpu_seconds, utilization = excluded.utilization, shards = excluded.shards,
                            reported_at = now()
                        """)
                .params(RecordMapper.parameters(
                        counts, List.of("number", "instance", "seconds", "cpu_seconds", "shards_by_job")))
                .param("node", node)
                .param("utilization", utilization)
                .update();
    }
}
