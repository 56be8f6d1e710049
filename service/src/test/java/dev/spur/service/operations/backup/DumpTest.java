package dev.spur.service.operations.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.postgres.SystemServer;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Export and restore of an external database by the client tools of PostgreSQL, with the real tools and a real server.
 */
class DumpTest {
    @TempDir
    private static Path shared;

    private static SystemServer server;
    private static Login source;
    private static Path dump;
    private static Instant before;

    @TempDir
    private Path folder;

    private Login target;

    @BeforeAll
    static void exportASample() throws Exception {
        assumeTrue(
                SystemServer.programs().isPresent() && isInstalled("pg_dump"),
                "PostgreSQL and its client tools (packages postgresql, postgresql-client) are not installed");
        server = SystemServer.start(Files.createDirectory(shared.resolve("server")));
        source = database();
        migrate(source);
        execute(source, SampleRows.SQL);
        dump = shared.resolve("spur.dump");
        before = Instant.now().minusSeconds(2);
        new DumpWriter(source).write(dump);
    }

    @AfterAll
    static void stopTheServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void createATarget() throws SQLException {
        target = database();
    }

    @Test
    void bringsBackEveryRowAndEverySequence() throws Exception {
        String restored = new DumpRestorer(target).restore(dump);

        assertThat(restored).contains("written by pg_dump").contains("the schema is");
        Manifest expected = new ExportWriter(source, "test").write(folder.resolve("expected"));
        Manifest actual = new ExportWriter(target, "test").write(folder.resolve("actual"));
        assertThat(byName(actual)).isEqualTo(byName(expected));
        assertThat(actual.sequences()).containsAll(expected.sequences());
        assertThat(actual.rows()).isGreaterThan(2500);
    }

    @Test
    void requiresTheRecoveryAsOfTheStartOfTheDump() throws Exception {
        new DumpRestorer(target).restore(dump);

        Instant exportedAt = Instant.parse(
                text(
                        target,
                        "select to_char(exported_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') from restoration where recovered_at is null"));
        assertThat(exportedAt).isBetween(before, before.plus(Duration.ofMinutes(2)));
    }

    @Test
    void canBeReadByItsOwnerAlone() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dump)))
                .isEqualTo("rw-------");
        assertThat(shared.resolve("spur.dump.partial")).doesNotExist();
    }

    @Test
    void isRestoredIntoTheEmbeddedServer() throws Exception {
        try (TestDatabase embedded = TestDatabase.create()) {
            var login = new Login(embedded.jdbcUrl(), embedded.user(), embedded.password());

            new DumpRestorer(login).restore(dump);

            assertThat(text(login, "select count(*) from job")).isEqualTo("500");
        }
    }

    @Test
    void refusesADatabaseThatIsNotEmpty() throws Exception {
        assertThatThrownBy(() -> new DumpRestorer(source).restore(dump))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("is not empty, and nothing was changed");
        assertThat(text(source, "select count(*) from job")).isEqualTo("500");
    }

    @Test
    void refusesANewerSchema() throws Exception {
        Login newer = database();
        migrate(newer);
        execute(newer, "update flyway_schema_history set version = '999' where installed_rank = 1");
        execute(newer, "update flyway_schema_history set installed_rank = 99 where version = '999'");
        Path file = folder.resolve("newer.dump");
        new DumpWriter(newer).write(file);

        assertThatThrownBy(() -> new DumpRestorer(target).restore(file))
                .hasMessageContaining("has schema 999 and was written by pg_dump")
                .hasMessageContaining("Restore it with a newer Spur.");
        assertEmpty(target);
    }

    @Test
    void leavesNothingBehindWhereverTheFileIsCut() throws Exception {
        byte[] whole = Files.readAllBytes(dump);
        Path cut = folder.resolve("cut.dump");
        for (int length = 5; length < whole.length; length += whole.length / 12) {
            Files.write(cut, Arrays.copyOf(whole, length));

            assertThatThrownBy(() -> new DumpRestorer(target).restore(cut))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(StartupFailure.class);
            assertEmpty(target);
        }
    }

    @Test
    void leavesNothingBehindWhenAStatementFails() throws Exception {
        execute(target, "create type shadow as enum ('a')");
        Login other = database();
        migrate(other);
        execute(other, "create type shadow as enum ('b')");
        Path file = folder.resolve("shadow.dump");
        new DumpWriter(other).write(file);

        assertThatThrownBy(() -> new DumpRestorer(target).restore(file))
                .hasMessageContaining("nothing was changed")
                .hasMessageContaining("\"shadow\" already exists");
        assertEmpty(target);
    }

    @Test
    void ofADatabaseWithoutSpurIsRefused() {
        assertThatThrownBy(() -> new DumpWriter(target).write(folder.resolve("none")))
                .hasMessageContaining("contains no Spur schema");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void aDumpOfAnotherProgramIsRefused() throws Exception {
        execute(target, "create table shop (s text)");
        Path file = folder.resolve("shop.dump");
        new ClientTools(target).output(List.of("pg_dump", "--format=custom", "--file=" + file));

        assertThatThrownBy(() -> new DumpRestorer(database()).restore(file))
                .hasMessageContaining("contains no Spur schema");
    }

    @Test
    void aServerNewerThanTheToolsIsRefused() throws Exception {
        try (TestDatabase embedded = TestDatabase.migrated()) {
            var login = new Login(embedded.jdbcUrl(), embedded.user(), embedded.password());
            String tool = new ClientTools(login).version("pg_dump");
            int desired = Integer.parseInt(text(login, "show server_version").split("\\.", 2)[0]);
            assumeTrue(
                    Integer.parseInt(tool.split("\\.", 2)[0]) < desired,
                    "The installed pg_dump is not older than the embedded PostgreSQL");

            assertThatThrownBy(() -> new DumpWriter(login).write(folder.resolve("none")))
                    .isInstanceOf(StartupFailure.class)
                    .hasMessageContaining("but the server has version %d", desired)
                    .hasMessageContaining("postgresql-client-%d", desired);
        }
    }

    @Test
    void aMissingToolIsNamed() {
        assertThatThrownBy(() -> new ClientTools(target).version("pg_absent"))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("The program pg_absent does not start")
                .hasMessageContaining("Install the client tools of PostgreSQL");
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static Login database() throws SQLException {
        String name = "test_" + UUID.randomUUID().toString().replace("-", "");
        execute(login("postgres"), "create database " + name);
        return login(name);
    }

    private static Login login(String database) {
        return new Login(server.jdbcUrl(database), SystemServer.USER, SystemServer.PASSWORD);
    }

    private static void migrate(Login login) throws SQLException {
        try (Connection connection = login.connect()) {
            new Schema(connection).migrate();
            connection.commit();
        }
    }

    private static void execute(Login login, String sql) throws SQLException {
        try (Connection connection = login.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute(sql);
        }
    }

    private static String text(Login login, String question) throws SQLException {
        try (Connection connection = login.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(question)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    private static void assertEmpty(Login login) throws SQLException {
        try (Connection connection = login.connect()) {
            assertThat(new Catalog(connection).isEmpty()).isTrue();
        }
    }

    private static Map<String, Manifest.Part> byName(Manifest manifest) {
        return manifest.tables().stream()
                .filter(part -> !part.name().equals("restoration"))
                .collect(Collectors.toMap(Manifest.Part::name, Function.identity()));
    }
}
