package dev.spur.service.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ExternalDatabaseTest {

    private final Database server = TestDatabase.server();

    @Test
    void isUsedWhenItAnswers() {
        var url = new DatabaseUrl(server.jdbcUrl(), server.user(), server.password());

        assertThat(ExternalDatabase.connect(url).jdbcUrl()).isEqualTo(server.jdbcUrl());
    }

    @Test
    void saysThatTheLoginIsRefused() {
        var url = new DatabaseUrl(server.jdbcUrl(), "nobody-we-know", "guess");

        assertThatThrownBy(() -> ExternalDatabase.connect(url))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("rejects the login")
                .hasMessageContaining("SPUR_DATABASE_PASSWORD")
                .hasMessageNotContaining("guess");
    }

    @Test
    void saysThatTheServerIsDown() throws IOException {
        int nobodyListens;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobodyListens = socket.getLocalPort();
        }
        var url = new DatabaseUrl("jdbc:postgresql://127.0.0.1:%d/spur".formatted(nobodyListens), "spur", "spur");

        assertThatThrownBy(() -> ExternalDatabase.connect(url))
                .isInstanceOf(StartupFailure.class)
                .hasMessageStartingWith("Cannot reach the database at postgresql://127.0.0.1:%d/spur", nobodyListens);
    }

    @Test
    void saysThatTheDatabaseDoesNotExist() {
        var url = new DatabaseUrl(
                server.jdbcUrl().replaceFirst("/[^/]+$", "/no_such_database"), server.user(), server.password());

        assertThatThrownBy(() -> ExternalDatabase.connect(url))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("database \"no_such_database\" does not exist");
    }
}
