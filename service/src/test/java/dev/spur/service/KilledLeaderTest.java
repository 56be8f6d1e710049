package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replicas as processes of their own, under the lease of an installation; the one that plans is killed. */
@Tag("fault")
class KilledLeaderTest {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private static final int LIMIT_SECONDS = 60;

    private final List<SpurProcess> alive = new ArrayList<>();
    private Connection database;

    @Test
    void theOtherOneTakesOverFromTheMiddleOfAPublication() throws Exception {
        try (var shared = TestDatabase.migrated();
                var one = start(shared);
                var two = start(shared);
                var connection = DriverManager.getConnection(shared.jdbcUrl(), shared.user(), shared.password())) {
            database = connection;
            alive.addAll(List.of(one, two));
            for (SpurProcess each : alive) {
                each.awaitLine("Spur is ready");
            }
            await("select exists (select 1 from plan)");

            killThePlannerInsideItsPublication();

            assertThat(count("plan a join plan b on a.revision < b.revision and a.lease_term > b.lease_term"))
                    .isZero();
            assertThat(count("round where finished_at is null and status = 'RUNNING'"))
                    .isZero();
        }
    }

    private static SpurProcess start(TestDatabase shared) throws IOException {
        return SpurProcess.start(shared.environment(), "serve", "--port", "0");
    }

    /** Has a round wait where it writes its plan, kills its process, and waits for a round of the other one. */
    private void killThePlannerInsideItsPublication() throws Exception {
        SpurProcess planner = planner();
        SpurProcess other =
                alive.stream().filter(each -> each != planner).findFirst().orElseThrow();
        // until nothing of its last round is left to be written
        planner.awaitLine("INFO  round ");
        database.setAutoCommit(false);
        execute("lock table plan in access exclusive mode");
        askForARound(other);
        await("""
                select exists (select 1 from pg_locks where relation = 'plan'::regclass and not granted
                    and pid in (select pid from pg_locks where relation = 'planner_lease'::regclass and granted))
                """);
        String epoch = text("select lease_term from planner_lease");
        planner.kill();
        alive.remove(planner);
        long killed = System.nanoTime();
        database.rollback();
        database.setAutoCommit(true);
        await("select lease_term > %s from planner_lease".formatted(epoch));
        tell("another one plans", killed);
        await("select exists (select 1 from round where lease_term > %s and status in ('PUBLISHED', 'UNCHANGED'))"
                .formatted(epoch));
        tell("its first round is over", killed);
    }

    /** The process whose id the lease names. */
    private SpurProcess planner() throws Exception {
        String holder = text("select split_part(holder, '@', 1) from planner_lease");
        return alive.stream()
                .filter(each -> Long.toString(each.pid()).equals(holder))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process " + holder));
    }

    private void askForARound(SpurProcess other) throws Exception {
        Matcher address = ADDRESS.matcher(other.awaitLine("Spur is ready"));
        assertThat(address.find()).isTrue();
        HttpRequest request = HttpRequest.newBuilder(URI.create(address.group() + "/api/v1/rounds"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(202);
    }

    private void await(String question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!text(question).equals("t")) {
            assertThat(System.nanoTime()).as(question).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private long count(String rows) throws SQLException {
        return Long.parseLong(text("select count(*) from " + rows));
    }

    private String text(String question) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Times depend on the machine, so they are told and not judged. */
    private static void tell(String what, long sinceNanos) {
        System.out.printf(
                Locale.ROOT,
                "planner killed inside its publication: %s after %.1f s%n",
                what,
                (System.nanoTime() - sinceNanos) / 1e9);
    }
}
