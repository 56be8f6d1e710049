package dev.spur.service.jobs.learning;

import dev.spur.model.aggregation.AggregationLayout;
import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.jobs.learning.StoredAggregator.JobShards;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Aggregators of the current plan. */
@Repository
public class AggregatorStore {
    private static final String SELECT = """
            select node, number, cpus, port, shards as shards_by_job, draining_shards as leaving from aggregator
            """;
    /** Selects all aggregators, by node and number. */
    public static final String ALL = SELECT + " order by node, number";

    private final JdbcClient jdbc;

    AggregatorStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Job that runs by the published plan.
     *
     * @param workers number of workers that send to its aggregators
     */
    public record ServedJob(long generation, int workers) {}

    /** Generation of a job. */
    private record Gang(String jobId, long generation) {}

    /** Returns all aggregators, by node and number. */
    public List<StoredAggregator> all() {
        return jdbc.sql(ALL).query(RecordMapper.of(StoredAggregator.class)).list();
    }

    /** Returns the aggregator with this number; empty if there is none. */
    public Optional<StoredAggregator> find(String node, int number) {
        return jdbc.sql(SELECT + " where node = ? and number = ?")
                .params(node, number)
                .query(RecordMapper.of(StoredAggregator.class))
                .optional();
    }

    /**
     * Replaces the layout of {@code known} aggregators. Aggregators of both layouts keep their ports. Shards of an
     * ending generation stay on their aggregators until its last process has ended. If nothing changes, no notification
     * is sent. Must run in the transaction that publishes the plan.
     *
     * @param running each job of the layout, by id
     */
    public List<StoredAggregator> replace(
            List<StoredAggregator> known, AggregationLayout layout, Map<String, ServedJob> running) {
        Set<Gang> ending = ending(known, running);
        Map<String, StoredAggregator> others = new TreeMap<>();
        known.forEach(stored -> others.put(key(stored.node(), stored.number()), stored));
        List<StoredAggregator> now = new ArrayList<>();
        for (Aggregator aggregator : layout.aggregators()) {
            StoredAggregator before = others.remove(key(aggregator.node(), aggregator.number()));
            List<JobShards> shardsByJob = aggregator.shardsByJob().stream()
                    .map(jobShards -> shardsOf(jobShards.jobId(), jobShards.shards(), running))
                    .toList();
            now.add(write(before, aggregator, shardsByJob, endingShards(before, ending)));
        }
        others.values().forEach(gone -> close(gone, endingShards(gone, ending)));
        return List.copyOf(now);
    }

    private static JobShards shardsOf(String job, List<Integer> shards, Map<String, ServedJob> running) {
        ServedJob served = running.get(job);
        if (served == null) {
            throw new IllegalArgumentException(
                    "job %s has shards in the aggregation layout but does not run".formatted(job));
        }
        return new JobShards(job, served.generation(), served.workers(), shards);
    }

    /** Returns the generations with shards that are not part of the plan and may still have processes. */
    private Set<Gang> ending(List<StoredAggregator> known, Map<String, ServedJob> running) {
        Set<Gang> others = new HashSet<>();
        known.forEach(stored -> stored.all().forEach(jobShards -> {
            ServedJob served = running.get(jobShards.jobId());
            if (served == null || served.generation() != jobShards.generation()) {
                others.add(new Gang(jobShards.jobId(), jobShards.generation()));
            }
        }));
        if (!others.isEmpty()) {
            String[] jobs = others.stream().map(Gang::jobId).distinct().toArray(String[]::new);
            Set<Gang> holding =
                    Set.copyOf(jdbc.sql("select distinct job_id, generation from assignment where job_id = any(?)"
                                    + " and holds_devices(state)"
                                    + " union select job_id, run_generation from connector_job where job_id = any(?)"
                                    + " and run is not null and run_generation is not null")
                            .params(jobs, jobs)
                            .query(RecordMapper.of(Gang.class))
                            .list());
            others.retainAll(holding);
        }
        return others;
    }

    private static List<JobShards> endingShards(@Nullable StoredAggregator before, Set<Gang> ending) {
        return before == null
                ? List.of()
                : before.all()
                        .filter(jobShards -> ending.contains(new Gang(jobShards.jobId(), jobShards.generation())))
                        .toList();
    }

    private StoredAggregator write(
            @Nullable StoredAggregator before,
            Aggregator aggregator,
            List<JobShards> shardsByJob,
            List<JobShards> leaving) {
        if (before == null) {
            return jdbc.sql("""
                            insert into aggregator (node, number, cpus, port, shards, draining_shards)
                            values (?, ?, ?, nextval('gang_port'), cast(? as jsonb), '[]')
                            returning node, number, cpus, port, shards as shards_by_job, draining_shards as leaving
                            """)
                    .params(aggregator.node(), aggregator.number(), aggregator.cpus(), json(shardsByJob))
                    .query(RecordMapper.of(StoredAggregator.class))
                    .single();
        }
        var now = new StoredAggregator(
                before.node(), before.number(), aggregator.cpus(), before.port(), shardsByJob, leaving);
        update(before, now);
        return now;
    }

    private void update(StoredAggregator before, StoredAggregator now) {
        if (!before.equals(now)) {
            jdbc.sql("""
                            update aggregator set cpus = ?, shards = cast(? as jsonb), draining_shards = cast(? as jsonb)
                            where node = ? and number = ?
                            """)
                    .params(now.cpus(), json(now.shardsByJob()), json(now.leaving()), now.node(), now.number())
                    .update();
        }
    }

    private void close(StoredAggregator gone, List<JobShards> leaving) {
        if (leaving.isEmpty()) {
            jdbc.sql("delete from aggregator where node = ? and number = ?")
                    .params(gone.node(), gone.number())
                    .update();
            jdbc.sql("delete from aggregator_counter where node = ? and number = ?")
                    .params(gone.node(), gone.number())
                    .update();
        } else {
            update(
                    gone,
                    new StoredAggregator(gone.node(), gone.number(), gone.cpus(), gone.port(), List.of(), leaving));
        }
    }

    /**
     * Moves an aggregator to another port if it still listens on this one, since another process may occupy the port.
     */
    public void move(String node, int number, int port) {
        jdbc.sql("update aggregator set port = nextval('gang_port') where node = ? and number = ? and port = ?")
                .params(node, number, port)
                .update();
    }

    private static String json(List<JobShards> shardsByJob) {
        return RoundJson.mapper().writeValueAsString(shardsByJob);
    }

    private static String key(String node, int number) {
        return number + " of " + node;
    }
}
