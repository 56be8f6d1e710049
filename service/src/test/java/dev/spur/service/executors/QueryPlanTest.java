package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.postgres.StatementCounter;
import dev.spur.postgres.StatementCounter.ExecutedStatement;
import dev.spur.service.database.postgres.Database;
import dev.spur.service.feeds.EventStore;
import dev.spur.service.testing.TestCluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.JsonNode;

/**
 * Query plans with 100,000 ended jobs: each statement that the service executes reads a bounded number of blocks and
 * scans no table that grows with the history. EXPLAIN executes the recorded statements again, and rolls them back.
 */
@Import(CountedDatabase.class)
@Tag("process")
class QueryPlanTest extends ExecutorsTest {
    private static final int ENDED = 100_000;
    /** Maximum blocks of 8 KiB that a statement may read. A scan of the ended jobs reads some ten thousand. */
    private static final int MAX_BLOCKS = 400;

    private static final Set<String> GROWING = Set.of(
            "job",
            "job_event",
            "job_allocation",
            "job_log",
            "job_log_rank",
            "job_log_chunk",
            "assignment",
            "audit_entry",
            "idempotency_key",
            "round",
            "plan");
    private static final Pattern EXPLAINABLE = Pattern.compile("^(select|with|insert|update|delete)\\b.*");

    @Autowired
    private StatementCounter counter;

    @Autowired
    private Database database;

    @Autowired
    private EventStore events;

    private final Map<String, ExecutedStatement> executed = new LinkedHashMap<>();

    @BeforeEach
    void fillHistory() {
        world.sql("""
                insert into job (id, tenant, owner, name, external_id, labels, spec, command, deadline_status, wait_for_hardware,
                    state, total_work, done_work, generation, submitted_at, ended_at)
                select md5(i::text)::uuid::text, 'root', 'history', 'a job', 'external-' || i, '{}', cast(? as jsonb), null, 'NONE', false,
                    (array['DONE', 'FAILED', 'CANCELLED'])[1 + i % 3], 1e6, 1e6, 1, now() - make_interval(secs => 200000 - i),
                    now() - make_interval(secs => 150000 - i)
                from generate_series(1, ?) i
                """, RoundJson.mapper().writeValueAsString(TestCluster.spec(1)), ENDED);
        world.sql("""
                insert into job_event (job_id, at, kind, detail)
                select id, ended_at, event, '{}' from job, unnest(array['SUBMITTED', 'RUNNING', 'DONE']) event
                where owner = 'history'
                """);
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                select id, 1, 1, 'START', null, submitted_at, ended_at from job where owner = 'history'
                """);
        world.sql("""
                insert into assignment (job_id, generation, node, role, devices, aggregation_slots, node_rank, rank_offset,
                    port, state, changed_at)
                select id, 1, 'n1', 'WORKER', '{d0}', 0, 0, 0, 20000, 'STOPPED', ended_at from job where owner = 'history'
                """);
        world.sql("""
                insert into audit_entry (at, principal, credential, address, request_id, operation, kind, object, change)
                select submitted_at, 'ann', 'TOKEN', '127.0.0.1', id, 'submitJob', 'job', id, '{}' from job where owner = 'history'
                """);
        world.sql("""
                insert into idempotency_key (caller, key, fingerprint, job_id, created_at)
                select 'ann', id, '', id, submitted_at from job where owner = 'history'
                """);
        world.sql("""
                insert into round (number, lease_term, trigger, status, requested_at, started_at, snapshot_at, finished_at, memory)
                select i, 0, 'period', 'UNCHANGED', now(), now(), now() - make_interval(days => 1), now(), '{}'
                from generate_series(100, 10000) i
                """);
        world.sql("insert into job_log (job_id, seq) select id, 1 from job where owner = 'history'");
        world.sql("""
                insert into job_log_rank (job_id, generation, rank, node, seq, upload_seq)
                select id, 1, 0, 'n1', 1, 1 from job where owner = 'history'
                """);
        world.sql("""
                insert into job_log_chunk (job_id, seq, generation, rank, text)
                select id, 1, 1, 0, 'done' from job where owner = 'history'
                """);
        world.sql("analyze");
    }

    /** The other tests delete the rows one by one. */
    @AfterEach
    void truncateHistory() {
        world.sql("truncate job, job_event, job_allocation, assignment, audit_entry, idempotency_key, round cascade");
    }

    @Test
    void readFewBlocksWhateverTheHistory() throws SQLException {
        counter.take();
        live();
        for (ExecutedStatement statement : counter.take().statements()) {
            if (EXPLAINABLE.matcher(statement.sql()).matches() && !isOfTheTest(statement)) {
                executed.putIfAbsent(statement.sql(), statement);
            }
        }
        List<String> slow = new ArrayList<>();
        try (Connection connection =
                DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            connection.setAutoCommit(false);
            for (ExecutedStatement statement : executed.values()) {
                explain(connection, statement, slow);
            }
        }
        assertThat(slow).as("statements of %d", executed.size()).isEmpty();
    }

    /** {@code place} ages all allocations, which no operation of the service does. */
    private static boolean isOfTheTest(ExecutedStatement statement) {
        return statement.sql().contains("- 86400");
    }

    /** Performs the frequent operations once. */
    private void live() {
        String submission = """
                {"name": "job", "externalId": "new", "command": {"program": "train"}, "spec": {
                  "work": {"unit": "SAMPLES", "amount": 1e8}, "elasticity": {"maxSlots": 1},
                  "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                  "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64,
                    "samplesPerSecond": 100}]}}}
                """;
        String past = api.get("/api/v1/jobs?externalId=external-50000").is(200).at("/items/0/id");
        String key = UUID.randomUUID().toString();
        String job = api.post("/api/v1/jobs", submission, "Idempotency-Key", key)
                .is(201)
                .json()
                .path("id")
                .asString();
        api.post("/api/v1/jobs", submission, "Idempotency-Key", key).is(201);
        for (String query : List.of(
                "",
                "?state=RUNNING",
                "?state=SUBMITTED&state=WAITING&state=RUNNING",
                "?tenant=root",
                "?externalId=new",
                "?limit=100&state=FAILED",
                "?id=" + past)) {
            api.get("/api/v1/jobs" + query).is(200);
        }
        events.after(events.end(), 500);
        for (String path : List.of("", "/events", "/allocations", "/logs", "/explanation")) {
            api.get(JOBS + past + path).is(200);
        }
        api.get("/api/v1/audit?limit=50").is(200);
        api.get("/api/v1/rounds?limit=50").is(200);
        api.get("/api/v1/queue").is(200);
        place(job, piece("n1", "d0"));
        one.poll();
        one.status();
        String assignment = assignment(job);
        for (String state : List.of("ACCEPTED", "STARTING", "RUNNING")) {
            one.step(assignment, state).is(200);
        }
        api.get("/api/v1/executors/n1").is(200);
        api.post(JOBS + job + "/progress", """
                {"generation": 1, "seq": 1, "samplesTotal": 100, "state": "RUNNING"}
                """).is(200);
        api.post(one.path() + "/assignments/" + assignment + "/logs", """
                {"registrationEpoch": %d, "seq": 1, "ranks": [{"rank": 0, "text": "done", "restart": true}]}
                """.formatted(one.registrationEpoch()))
                .is(200);
        api.get(JOBS + job + "/logs").is(200);
        one.exit(assignment, 0).is(200);
        steward.step();
        rounds.run();
    }

    /** Adds the statement to {@code slow} if it reads too much. */
    private static void explain(Connection connection, ExecutedStatement statement, List<String> slow)
            throws SQLException {
        String values = statement.values().stream()
                .map(value -> value == null ? "null" : "'" + value.replace("'", "''") + "'")
                .collect(Collectors.joining(", "));
        try (Statement sql = connection.createStatement()) {
            // a table of a few rows is scanned even where an index serves the statement
            sql.execute("set local enable_seqscan = off");
            sql.execute("prepare explained%s as %s".formatted(types(sql, statement), statement.sql()));
            JsonNode plan;
            // an insert cannot be executed twice: its rows exist
            String options = statement.sql().contains("insert into") ? "format json" : "analyze, buffers, format json";
            try (ResultSet row = sql.executeQuery(
                    "explain (" + options + ") execute explained" + (values.isEmpty() ? "" : "(" + values + ")"))) {
                row.next();
                plan = RoundJson.mapper().readTree(row.getString(1)).path(0).path("Plan");
            }
            long blocks = plan.path("Shared Hit Blocks").asLong()
                    + plan.path("Shared Read Blocks").asLong();
            List<String> scanned = new ArrayList<>();
            collectScans(plan, scanned);
            if (blocks > MAX_BLOCKS || !scanned.isEmpty()) {
                slow.add("%d blocks, scans of %s: %s".formatted(blocks, scanned, statement.sql()));
            }
        } finally {
            connection.rollback();
            try (Statement sql = connection.createStatement()) {
                sql.execute("deallocate all");
            }
            connection.commit();
        }
    }

    /** Returns the list of parameter types of a PREPARE; empty without parameters. */
    private static String types(Statement sql, ExecutedStatement statement) throws SQLException {
        List<String> names = new ArrayList<>();
        for (int type : statement.types()) {
            try (ResultSet row = sql.executeQuery("select format_type(nullif(%d, 0), null)".formatted(type))) {
                row.next();
                names.add(Objects.requireNonNullElse(row.getString(1), "unknown"));
            }
        }
        return names.isEmpty() ? "" : names.stream().collect(Collectors.joining(", ", "(", ")"));
    }

    private static void collectScans(JsonNode plan, List<String> scanned) {
        String table = plan.path("Relation Name").asString("");
        if (plan.path("Node Type").asString().equals("Seq Scan") && GROWING.contains(table)) {
            scanned.add(table);
        }
        plan.path("Plans").forEach(part -> collectScans(part, scanned));
    }
}
