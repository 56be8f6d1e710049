package dev.spur.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class PostgresServerTest {

    @TempDir
    private Path home;

    private Path link;

    @BeforeEach
    void shareTheUnpackedServer() throws IOException {
        link = UnpackedServer.linkInto(home);
    }

    @AfterEach
    void keepWhatIsShared() throws IOException {
        Files.delete(link);
    }

    @Test
    void keepsItsDataWhenItsProcessIsKilled() throws Exception {
        for (int start = 1; start <= 3; start++) {
            var child = ServerProcess.start(home);
            child.insertRow();
            child.kill();
        }

        try (var server = PostgresServer.start(home)) {
            assertThat(query(server, "SELECT count(*) FROM row")).isEqualTo("3");
        }
    }

    @Test
    void stopsAServerThatWasLeftBehind() throws Exception {
        var child = ServerProcess.start(home);
        var orphan = serverOf(home);
        child.killWithWatchdog();
        assertThat(orphan.isAlive()).isTrue();

        try (var server = PostgresServer.start(home)) {
            assertThat(orphan.onExit()).succeedsWithin(Duration.ofMinutes(1));
            assertThat(query(server, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void endsWithItsOwner() throws Exception {
        ProcessHandle postgres;
        try (var server = PostgresServer.start(home)) {
            postgres = serverOf(home);
            assertThat(server.jdbcUrl()).startsWith("jdbc:postgresql://127.0.0.1:");
        }

        assertThat(postgres.onExit()).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void stopsByItselfWhenItsProcessIsKilled() throws Exception {
        var child = ServerProcess.start(home);
        var postgres = serverOf(home);

        child.kill();

        assertThat(postgres.onExit()).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void isDurableAndGuarded() throws Exception {
        try (var server = PostgresServer.start(home)) {
            assertThat(query(server, "SHOW fsync")).isEqualTo("on");
            assertThat(query(server, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(query(server, "SHOW data_checksums")).isEqualTo("on");
            assertThat(query(server, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(query(server, "SELECT datlocale FROM pg_database WHERE datname = current_database()"))
                    .isEqualTo("C.UTF-8");
            assertThat(Files.getPosixFilePermissions(home.resolve("postgres/password")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "guess"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void refusesAHomeThatAnotherProcessHolds() throws Exception {
        var child = ServerProcess.start(home);
        try {
            assertThatThrownBy(() -> PostgresServer.start(home))
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessage(
                            "The Spur home %s is in use by another process (%d). Stop it, or set SPUR_HOME to another directory.",
                            home, child.pid());
        } finally {
            child.kill();
        }
    }

    @Test
    void refusesAHomeThatThisProcessHoldsWithoutLosingIt() throws Exception {
        try (var server = PostgresServer.start(home)) {
            assertThatThrownBy(() -> PostgresServer.start(home))
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessageContaining("is in use by this process");
            assertThat(query(server, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void refusesAHomeThatCannotBeWritten() throws IOException {
        Path file = Files.createFile(home.resolve("file"));

        assertThatThrownBy(() -> PostgresServer.start(file.resolve("home")))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageStartingWith("Cannot write to the Spur home " + file.resolve("home"))
                .hasMessageEndingWith("Set SPUR_HOME to a directory that can be written.");
    }

    @Test
    void refusesDataOfAnotherMajorVersion() throws IOException {
        Path data = Files.createDirectories(home.resolve("postgres/data"));
        Files.writeString(data.resolve("PG_VERSION"), "16\n");

        assertThatThrownBy(() -> PostgresServer.start(home))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("was written by PostgreSQL 16, this Spur comes with 17");
    }

    @Test
    void startsAgainAfterAnInterruptedCreation() throws Exception {
        Path partial = Files.createDirectories(home.resolve("postgres/data.partial"));
        Files.writeString(partial.resolve("PG_VERSION"), "17\n");

        try (var server = PostgresServer.start(home)) {
            assertThat(query(server, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void readsAHalfWrittenStateFileAsNone() {
        assertThat(PostmasterFile.parse(List.of())).isEmpty();
        assertThat(PostmasterFile.parse(List.of("42"))).contains(new PostmasterFile(42, 0, false));
        assertThat(PostmasterFile.parse(List.of("42", "/data", "1763", "5433", "", "127.0.0.1", "", "ready   ")))
                .contains(new PostmasterFile(42, 5433, true));
    }

    private static ProcessHandle serverOf(Path home) throws IOException {
        var file = PostmasterFile.in(home.resolve("postgres/data")).orElseThrow();
        return ProcessHandle.of(file.process()).orElseThrow();
    }

    private static String query(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
