package dev.spur.service.testing;

import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.security.Role;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A small cluster in the database, written past the API. */
public class TestCluster {
    private final JdbcClient jdbc;

    TestCluster(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Empties every table and registers type A100, pool main and tenant root. */
    public void reset() {
        String tables = tables();
        try {
            jdbc.sql(empty(tables)).update();
        } catch (PessimisticLockingFailureException
                | DataIntegrityViolationException busy) { // the service was about to finish something
            jdbc.sql("truncate " + tables + " cascade").update();
        }
        jdbc.sql("update planner_lease set holder = '', expires_at = clock_timestamp()")
                .update();
        jdbc.sql("insert into accelerator_type (name, memory_gib) values ('A100', 40)")
                .update();
        jdbc.sql("insert into pool (name, whole_nodes) values ('main', false)").update();
        jdbc.sql("insert into tenant (name, parent, weight, quotas) values ('root', null, 1, '{}')")
                .update();
    }

    /** All tables but those that count or lock something, each before those that it refers to. */
    private String tables() {
        return jdbc.sql("""
                        with recursive tables as (
                            select oid as id, relname as name from pg_class
                            where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not in (
                                'flyway_schema_history', 'cluster_version', 'planner_lease')),
                        depths as (
                            select id, 0 as depth from tables
                            union
                            select conrelid, depth + 1 from depths join pg_constraint on confrelid = id
                            where contype = 'f' and conrelid <> confrelid and depth < 100)
                        select string_agg(name::text, ', ' order by (select max(depth) from depths where depths.id = tables.id) desc, name)
                        from tables
                        """).query(String.class).single();
    }

    /**
     * A statement that waits for whoever writes, empties the tables, and has plans and estimates looked at again. It
     * deletes: to truncate a table makes files anew, which takes longer than all else that most tests do.
     */
    private static String empty(String tables) {
        return """
                do $$ begin
                    lock table %s in share row exclusive mode;
                    %s;
                    perform pg_notify('%s', ''), pg_notify('%s', '');
                end $$
                """.formatted(
                        tables,
                        Arrays.stream(tables.split(", "))
                                .map(table -> "delete from " + table)
                                .collect(Collectors.joining("; ")),
                        NotificationChannel.PLAN,
                        NotificationChannel.ESTIMATES);
    }

    /** Registers a node of pool main with devices d0, d1, ... of type A100. */
    public void node(String id, int slots) {
        String[] devices = IntStream.range(0, slots).mapToObj(d -> "d" + d).toArray(String[]::new);
        jdbc.sql("""
                        insert into node (id, pool, accelerator_type, devices, cpus, memory_gib, aggregation_slots,
                            price_per_slot_hour, state) values (?, 'main', 'A100', ?, 64, 512, 0, 0, 'ACTIVE')
                        """).params(id, devices).update();
    }

    /** Changes the state of a node. */
    public void state(String node, NodeState state) {
        sql("update node set state = ?, version = version + 1 where id = ?", state.name(), node);
    }

    /** Submits a job that wants at least {@code slots} slots. Returns its id. */
    public String job(int slots) {
        return job(spec(slots));
    }

    /** Submits a job. Returns its id. */
    public String job(JobSpec spec) {
        String id = UUID.randomUUID().toString();
        jdbc.sql("""
                        insert into job (id, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state,
                            total_work) values (?, 'root', 'ann', 'a job', '{}', cast(? as jsonb), 'NONE', false,
                            'SUBMITTED', ?)
                        """)
                .params(id, RoundJson.mapper().writeValueAsString(spec), spec.totalSamples())
                .update();
        return id;
    }

    /** Submits a job that a command starts and that may fail once. Returns its id. */
    public String jobWithCommand(int slots) {
        String job = job(slots);
        sql("""
                update job set command = '{"program": "train", "args": ["--fast"], "env": {}, "workdir": null,
                  "launch": "PER_DEVICE", "checkpointDir": "/ckpt", "graceSeconds": 5.0, "maxRestarts": 1}' where id = ?
                """, job);
        return job;
    }

    /**
     * Issues a token.
     *
     * @param tenants names between commas; null for no confinement
     * @param node a node; null for no confinement
     * @return its secret
     */
    public String token(Role role, String tenants, String node) {
        String secret = "spur_" + UUID.randomUUID();
        jdbc.sql("""
                        insert into access_token (id, name, hash, role, tenants, node, created_by)
                        values (?, ?, encode(sha256(convert_to(?, 'UTF8')), 'hex'), ?, string_to_array(?, ','), ?, 'a test')
                        """)
                .params(
                        UUID.randomUUID().toString(),
                        role + "-" + UUID.randomUUID(),
                        secret,
                        role.name(),
                        tenants,
                        node)
                .update();
        return secret;
    }

    /** An open proposal, number 1, that changes nothing; no other one is left. */
    public void proposal() {
        sql("delete from proposal");
        sql("""
                insert into proposal (number, round_number, base_revision, status, objective_delta, body, diff)
                overriding system value values (1, 1, 0, 'OPEN', 0, '{}',
                    '{"base": 0, "revision": 1, "changes": [], "unchanged": 0, "restartSeconds": 0}')
                """);
    }

    /** Runs any statement. */
    public void sql(String statement, Object... parameters) {
        jdbc.sql(statement).params(parameters).update();
    }

    /** Lets a job depend on the success of another one. */
    public void depends(String job, String other) {
        sql(
                "update job set depends_on = cast(? as jsonb), unmet_dependencies = array[?] where id = ?",
                """
                [{"job": "%s", "when": "SUCCEEDED"}]
                """.formatted(other),
                other,
                job);
    }

    /** One value of one row. */
    public <T> T value(Class<T> type, String query, Object... parameters) {
        return jdbc.sql(query).params(parameters).query(type).single();
    }

    /** Generation of a job. */
    public long generation(String job) {
        return value(Long.class, "select generation from job where id = ?", job);
    }

    /** State of a job. */
    public String state(String job) {
        return value(String.class, "select state from job where id = ?", job);
    }

    /**
     * Asks for {@code slots} or more slots, at 100 samples/s each, with 10,000 s of work on one; a batch of 64, rounded
     * to equal shares.
     */
    public static JobSpec spec(int slots) {
        List<ProfilePoint> points = IntStream.of(1, 64)
                .mapToObj(k -> ProfilePoint.allReduce("A100", k, Math.max(1, k / 8), 64, 100.0 * k))
                .toList();
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, 1e6, null),
                Elasticity.between(slots, Math.max(slots, 8)),
                BatchLimits.roundedUp(64, 64),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.LEVEL,
                new ThroughputProfile(points, List.of()),
                HostDemand.NONE,
                30,
                0,
                true,
                1,
                0,
                null,
                null);
    }
}
