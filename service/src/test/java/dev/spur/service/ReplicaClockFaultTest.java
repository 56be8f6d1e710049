package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.postgres.FakeClockServer;
import dev.spur.service.database.postgres.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the planning replica jumps; those of the database and of the other replica do not. */
@Tag("fault")
class ReplicaClockFaultTest {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private static final int LIMIT_SECONDS = 120;
    private static final String PLANNED = "select exists (select 1 from job where name = '%s' and state = 'RUNNING')";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private Connection database;
    private String address;

    @Test
    void theReplicaKeepsTheLeaseOfThePlannerAndThoseOfExecutors() throws Exception {
        Optional<Path> library = FakeClockServer.library();
        assumeTrue(library.isPresent(), "libfaketime is not installed, so the clock of no replica can be set");
        Path offset = Files.writeString(folder.resolve("offset"), "+0");
        try (var shared = TestDatabase.migrated();
                var planner = start(shared, fakeClock(library.orElseThrow(), offset))) {
            address = address(planner);
            try (var other = start(shared, Map.of());
                    var connection = DriverManager.getConnection(shared.jdbcUrl(), shared.user(), shared.password())) {
                database = connection;
                other.awaitLine("Spur is ready");
                String term = text("select lease_term from planner_lease");

                for (String jump : List.of("+3600", "-3600")) {
                    Files.writeString(offset, jump);
                    register();
                    submit("after " + jump);
                    await(PLANNED.formatted("after " + jump));

                    assertThat(text("select lease_term from planner_lease")).isEqualTo(term);
                    assertThat(
                                    text(
                                            "select expires_at > now() and expires_at < now() + interval '5 min' from planner_lease"))
                            .isEqualTo("t");
                    assertThat(text("select state from executor")).isEqualTo("ALIVE");
                    assertThat(text("select abs(extract(epoch from max(started_at) - now())) < 300 from round"))
                            .isEqualTo("t");
                }

                planner.kill();
                await("select lease_term > %s from planner_lease".formatted(term));
            }
        }
    }

    private static SpurProcess start(TestDatabase shared, Map<String, String> further) throws IOException {
        Map<String, String> environment = new HashMap<>(shared.environment());
        // a busy machine may delay a renewal
        environment.put("SPUR_ROUNDS_LEASE", "60s");
        environment.putAll(further);
        return SpurProcess.start(environment, "serve", "--port", "0");
    }

    /**
     * Returns variables by which the clock of a process is off by the seconds in a file, but not its monotonic clock.
     */
    private static Map<String, String> fakeClock(Path library, Path offset) {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                offset.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // this correction makes the waits of a JVM endless
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    private static String address(SpurProcess replica) throws Exception {
        Matcher found = ADDRESS.matcher(replica.awaitLine("Spur is ready"));
        assertThat(found.find()).isTrue();
        return found.group();
    }

    private void register() throws Exception {
        send("PUT", "/executors/n1", """
                {"instance": "i", "pool": "main", "acceleratorType": "A100", "devices": [{"uuid": "d0"}, {"uuid": "d1"}],
                 "cpus": 2, "memoryGiB": 2}
                """);
    }

    private void submit(String name) throws Exception {
        send("POST", "/jobs", """
                {"name": "%s", "owner": "test", "waitForHardware": true,
                 "spec": {"work": {"unit": "SAMPLES", "amount": 1000000}, "elasticity": {"maxSlots": 1},
                  "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                  "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64,
                   "strategy": "ALL_REDUCE", "samplesPerSecond": 300}]}}}
                """.formatted(name));
    }

    private void send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/api/v1" + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    }

    private void await(String question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!text(question).equals("t")) {
            assertThat(System.nanoTime()).as(question).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private String text(String question) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            assertThat(row.next()).as(question).isTrue();
            return row.getString(1);
        }
    }
}
