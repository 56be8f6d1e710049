package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.postgres.SystemServer;
import dev.spur.postgres.UnpackedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as people type them, each a process of its own. */
@Tag("process")
class ArchiveCommandsTest {
    private static final int LIMIT_SECONDS = 60;
    private static final long GATE = 4711;

    @TempDir
    private Path folder;

    @Test
    void theOwnDatabaseIsExportedWhileItServesAndRestoredIntoAnotherHome() throws Exception {
        Path file = folder.resolve("file");
        UnpackedServer.linkInto(folder.resolve("first"));
        UnpackedServer.linkInto(folder.resolve("second"));
        try (var serving = SpurProcess.start(home("first"), "serve", "--port", "0")) {
            serving.awaitLine("Spur is ready");

            var exported = SpurProcess.run(home("first"), "export", file.toString());
            assertThat(exported.output()).startsWith("Exported ").contains(" to " + file);
            assertThat(exported.status()).isZero();
            var refused = SpurProcess.run(home("first"), "restore", file.toString());
            assertThat(refused.output()).contains("is in use by another process");
            assertThat(refused.status()).isEqualTo(1);
        }
        var restored = SpurProcess.run(home("second"), "restore", file.toString());
        assertThat(restored.output()).startsWith("Restored ").contains("written by Spur");
        assertThat(restored.status()).isZero();
        try (var serving = SpurProcess.start(home("second"), "serve", "--port", "0")) {
            serving.awaitLine("Spur is ready");
            assertThat(serving.awaitLine("The database was restored as of"))
                    .contains("executors report their running jobs");
        }
    }

    @Test
    void thereIsNothingToExportWhereNothingEverServed() throws Exception {
        var result =
                SpurProcess.run(home("none"), "export", folder.resolve("file").toString());

        assertThat(result.output()).startsWith("spur: The Spur home").contains("contains no database");
        assertThat(result.status()).isEqualTo(1);
    }

    private Map<String, String> home(String name) {
        return Map.of("SPUR_HOME", folder.resolve(name).toString());
    }

    /** The database itself holds the restoration up once nodes are in, at the next change of a table. */
    @Test
    void aRestorationThatIsKilledInTheMiddleLeavesTheDatabaseEmpty() throws Exception {
        assumeTrue(
                SystemServer.programs().isPresent(),
                "PostgreSQL and its client tools (packages postgresql, postgresql-client) are not installed");
        Path file = folder.resolve("file");
        try (var server = SystemServer.start(Files.createDirectory(folder.resolve("server")))) {
            Map<String, String> source = create(server, "source");
            try (var serving = SpurProcess.start(source, "serve", "--demo", "--port", "0")) {
                serving.awaitLine("the demo has registered a cluster");
                var exported = SpurProcess.run(source, "export", file.toString());
                assertThat(exported.output()).contains("with pg_dump");
                assertThat(exported.status()).isZero();
            }
            Map<String, String> target = create(server, "target");
            try (Connection gate = connect(server, "target")) {
                killInTheMiddle(gate, target, file);
                var again = SpurProcess.run(target, "restore", file.toString());

                assertThat(again.status()).as(again.output()).isZero();
                assertThat(text(gate, "select count(*) > 0 from node")).isEqualTo("t");
            }
        }
    }

    private static void killInTheMiddle(Connection gate, Map<String, String> target, Path file) throws Exception {
        holdUp(gate);
        try (var restoring = SpurProcess.start(target, "restore", file.toString())) {
            await(
                    gate,
                    "select exists (select from pg_locks where locktype = 'advisory' and objid = %d and not granted)"
                            .formatted(GATE));
            restoring.kill();
        }
        execute(gate, "select pg_advisory_unlock(%d)".formatted(GATE));
        await(gate, "select count(*) = 1 from pg_stat_activity where datname = current_database()");
        assertThat(text(gate, "select count(*) from pg_class where relnamespace = 'public'::regnamespace"))
                .isEqualTo("0");
        execute(gate, "drop event trigger hold_up");
    }

    private static void holdUp(Connection gate) throws SQLException {
        execute(gate, "select pg_advisory_lock(%d)".formatted(GATE));
        execute(gate, """
                create schema gate;
                create function gate.hold_up() returns event_trigger language plpgsql as $$
                begin
                    if to_regclass('public.node') is not null then
                        if exists (select from public.node) then
                            perform pg_advisory_lock(%d);
                        end if;
                    end if;
                end $$;
                create event trigger hold_up on ddl_command_end when tag in ('ALTER TABLE') execute function gate.hold_up();
                """.formatted(GATE));
    }

    private static Map<String, String> create(SystemServer server, String database) throws SQLException {
        try (Connection connection = connect(server, "postgres")) {
            execute(connection, "create database " + database);
        }
        return Map.of(
                "SPUR_DATABASE_URL", server.jdbcUrl(database),
                "SPUR_DATABASE_USER", SystemServer.USER,
                "SPUR_DATABASE_PASSWORD", SystemServer.PASSWORD);
    }

    private static Connection connect(SystemServer server, String database) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(database), SystemServer.USER, SystemServer.PASSWORD);
    }

    private static void await(Connection connection, String question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!text(connection, question).equals("t")) {
            assertThat(System.nanoTime()).as(question).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
