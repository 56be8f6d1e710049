package dev.spur.service.connectors;

import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.RecordMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Objects that connectors have registered: nodes, and imported or rejected jobs. */
@Repository
public class ConnectorJobStore {
    private final JdbcClient jdbc;

    ConnectorJobStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Job of a platform.
     *
     * @param jobId id in Spur; null if the job was rejected
     * @param handsOff true while the job is under manual control
     * @param reason reason of the rejection; null if the job was imported
     * @param fresh true if the last attempt to import the job is recent
     * @param gone true if the platform has not shown the job for a while
     * @param progress share of its work that was imported last; null if none was
     */
    public record Row(
            String platformId,
            @Nullable String jobId,
            boolean handsOff,
            @Nullable String reason,
            boolean fresh,
            boolean gone,
            @Nullable Double progress) {}

    /** Returns the jobs of a connector, by id on the platform. */
    public Map<String, Row> jobs(String connector) {
        Map<String, Row> rows = new HashMap<>();
        jdbc.sql("""
                        select platform_id, job_id, manually_overridden as hands_off, reason, evaluated_at > now() - interval '60 seconds' as fresh,
                               seen_at < %s - interval '60 seconds' as gone, progress
                        from connector_job where connector = ?
                        """.formatted(DatabaseClockStore.STEADY_NOW))
                .param(connector)
                .query(RecordMapper.of(Row.class))
                .list()
                .forEach(row -> rows.put(row.platformId(), row));
        return rows;
    }

    /** Records that a job was imported or rejected. */
    public void write(String connector, String platformId, @Nullable String jobId, @Nullable String reason) {
        jdbc.sql("""
                        insert into connector_job (connector, platform_id, job_id, reason)
                        values (:connector, :platform, :job, :reason)
                        on conflict (connector, platform_id) do update set job_id = :job, reason = :reason, evaluated_at = now()
                        """)
                .param("connector", connector)
                .param("platform", platformId)
                .param("job", jobId)
                .param("reason", reason)
                .update();
    }

    /**
     * Starts or ends manual control of a job. The end also records the number of the last started round, since plans up
     * to that round were made without the job.
     */
    public void handsOff(String connector, String platformId, boolean off) {
        jdbc.sql("""
                        update connector_job set manually_overridden = :off, override_ended_round = case when :off then null
                            else (select coalesce(max(number), 0) from round where started_at is not null) end
                        where connector = :connector and platform_id = :platform
                        """)
                .param("off", off)
                .param("connector", connector)
                .param("platform", platformId)
                .update();
    }

    /** Records the share of the work of a job that was imported. */
    public void progress(String connector, String platformId, double share) {
        jdbc.sql("update connector_job set progress = ? where connector = ? and platform_id = ?")
                .params(share, connector, platformId)
                .update();
    }

    /** Records that the platform shows these jobs now. */
    public void recordObservation(String connector, Collection<String> platformIds) {
        jdbc.sql("update connector_job set seen_at = now() where connector = ? and platform_id = any(?)")
                .params(connector, platformIds.toArray(String[]::new))
                .update();
    }

    /** Deletes a job. */
    public void forget(String connector, String platformId) {
        jdbc.sql("delete from connector_job where connector = ? and platform_id = ?")
                .params(connector, platformId)
                .update();
    }

    /** Returns the nodes of a connector with the last condition that the platform reported for each. */
    public Map<String, String> nodes(String connector) {
        Map<String, String> conditions = new HashMap<>();
        jdbc.sql("select node, condition from connector_node where connector = ?")
                .param(connector)
                .query(row -> {
                    conditions.put(row.getString("node"), Objects.requireNonNull(row.getString("condition")));
                });
        return conditions;
    }

    /** Returns the pools with nodes from other sources: operators, executors or other connectors. */
    public Set<String> poolsOfOthers(String connector) {
        return new HashSet<>(jdbc.sql("""
                        select distinct n.pool from node n
                        where not exists (select from connector_node c where c.node = n.id and c.connector = ?)
                        """).param(connector).query(String.class).list());
    }

    /** Registers a node of a connector with the condition that the platform reports. */
    public void node(String connector, String node, String condition) {
        jdbc.sql("""
                        insert into connector_node (node, connector, condition) values (?, ?, ?)
                        on conflict (node) do update set condition = excluded.condition
                        """).params(node, connector, condition).update();
    }

    /** Records that the platform shows these nodes now. */
    public void nodesSeen(String connector, Collection<String> nodes) {
        jdbc.sql("update connector_node set seen_at = now() where connector = ? and node = any(?)")
                .params(connector, nodes.toArray(String[]::new))
                .update();
    }

    /** Returns the nodes that the platform has not shown for {@code seconds}. */
    public Set<String> nodesMissing(String connector, double seconds) {
        return new HashSet<>(
                jdbc.sql("""
                        select node from connector_node
                        where connector = ? and seen_at <= now() - make_interval(secs => ?)
                        """).params(connector, seconds).query(String.class).list());
    }

    /** Returns the devices of each node that active jobs have by the plan. */
    public Map<String, List<String>> devicesInPlan() {
        Map<String, List<String>> devices = new HashMap<>();
        jdbc.sql("""
                        select distinct piece.node, device
                        from job, placement(allocation) piece,
                            jsonb_array_elements_text(piece.devices) device
                        where is_active(state) and allocation is not null
                        """).query(row -> {
            devices.computeIfAbsent(row.getString("node"), node -> new ArrayList<>())
                    .add(row.getString("device"));
        });
        return devices;
    }
}
