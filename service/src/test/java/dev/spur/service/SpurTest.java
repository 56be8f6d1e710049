package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class SpurTest {

    @TempDir
    private Path directory;

    @Test
    void listsTheCommands() throws Exception {
        var alone = SpurProcess.run(Map.of());

        assertThat(alone.status()).isZero();
        assertThat(alone.output())
                .contains("serve", "bench")
                .isEqualTo(SpurProcess.run(Map.of(), "--help").output());
    }

    @Test
    void printsItsVersion() throws Exception {
        assertThat(SpurProcess.run(Map.of(), "--version").output()).matches("Spur \\d+\\.\\d+\\.\\d+\\s+");
    }

    @Test
    void servesUntilItIsStopped() throws Exception {
        int port = freePort();
        try (var database = TestDatabase.create();
                var spur = SpurProcess.start(database.environment(), "serve", "--port", Integer.toString(port))) {
            String ready = spur.awaitLine("Spur is ready");

            assertThat(ready).isEqualTo("Spur is ready: http://127.0.0.1:%d  (API docs: /docs)", port);
            assertThat(status("http://127.0.0.1:%d/health/ready".formatted(port)))
                    .isEqualTo(200);

            assertThat(spur.lines().get(0)).isEqualTo("Spur starts, with an external PostgreSQL ...");
            int before = spur.lines().size();
            spur.terminate();
            assertThat(spur.awaitEnd().output().lines().skip(before))
                    .contains("Spur stops ...")
                    .noneMatch(line -> line.contains("Exception"));
        }
    }

    @Test
    void writesItsLogForProgramsWhenAsked() throws Exception {
        try (var database = TestDatabase.create();
                var spur = SpurProcess.start(
                        with(database.environment(), "SPUR_LOG_FORMAT", "json"), "serve", "--port", "0")) {
            spur.awaitLine("Spur is ready");

            assertThat(spur.lines()).allMatch(line -> line.startsWith("{\"@timestamp\""));
        }
    }

    @Test
    void issuesATokenForAnOperatorOnceAndWarnsWhenOtherMachinesCanReachIt() throws Exception {
        try (var database = TestDatabase.create()) {
            var environment = with(database.environment(), "SPUR_SECURITY_MODE", "token");
            String secret;
            try (var spur = SpurProcess.start(environment, "serve", "--port", "0", "--bind", "0.0.0.0")) {
                String ready = spur.awaitLine("Spur is ready");
                int port = Integer.parseInt(ready.replaceAll(".*:(\\d+)  .*", "$1"));

                assertThat(spur.lines()).anyMatch(line -> line.contains("use a proxy with TLS in front"));
                secret = spur.awaitLine("Token of the first operator").replaceAll(".*(spur_\\S+).*", "$1");
                assertThat(caller(port, "")).isEqualTo(401);
                assertThat(caller(port, "Bearer " + secret)).isEqualTo(200);
            }
            try (var spur = SpurProcess.start(database.environment(), "serve", "--demo", "--port", "0")) {
                String ready = spur.awaitLine("Spur is ready");
                int port = Integer.parseInt(ready.replaceAll(".*:(\\d+)  .*", "$1"));

                assertThat(spur.lines()).noneMatch(line -> line.contains("spur_"));
                assertThat(caller(port, "")).as("a demo once there are tokens").isEqualTo(401);
                assertThat(caller(port, "Bearer " + secret)).isEqualTo(200);
                spur.awaitLine("the demo has registered a cluster");
            }
        }
    }

    private static int caller(int port, String authorization) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/api/v1/whoami".formatted(port)));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Nested
    class SaysInOneLineWhyItCannotStart {

        @Test
        void whenThePortIsInUse() throws Exception {
            try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                String port = Integer.toString(socket.getLocalPort());

                assertRefused(
                        SpurProcess.run(Map.of(), "serve", "--port", port),
                        "spur: Port " + port
                                + " is in use. Stop the program that uses it, or choose another one with --port.");
            }
        }

        @Test
        void whenTheAddressIsNotOfThisMachine() throws Exception {
            assertRefused(
                    SpurProcess.run(Map.of(), "serve", "--port", "0", "--bind", "192.0.2.1"),
                    "spur: Cannot listen on 192.0.2.1, port 0: Cannot assign requested address.");
        }

        @Test
        void whenOtherMachinesCouldReachItWithoutAToken() throws Exception {
            try (var database = TestDatabase.create()) {
                var environment = with(database.environment(), "SPUR_SECURITY_MODE", "local");

                assertRefused(
                        SpurProcess.run(environment, "serve", "--port", "0", "--bind", "0.0.0.0"),
                        "spur: Local mode requires no token, but other machines can reach 0.0.0.0.");
            }
        }

        @Test
        void whenTheHomeCannotBeWritten() throws Exception {
            Path file = Files.createFile(directory.resolve("file"));

            assertRefused(
                    SpurProcess.run(Map.of("SPUR_HOME", file + "/home"), "serve", "--port", "0"),
                    "spur: Cannot write to the Spur home %1$s/home (%1$s/home: Not a directory). Set SPUR_HOME to a directory that can be written."
                            .formatted(file));
        }

        @Test
        void whenTheDatabaseIsDown() throws Exception {
            String url = "postgresql://127.0.0.1:%d/spur".formatted(freePort());

            var result = SpurProcess.run(Map.of("SPUR_DATABASE_URL", url), "serve", "--port", "0");

            assertRefused(result, "spur: Cannot reach the database at " + url);
        }

        @Test
        void whenThePasswordIsWrong() throws Exception {
            try (var database = TestDatabase.create()) {
                var environment = with(database.environment(), "SPUR_DATABASE_PASSWORD", "guess");

                assertRefused(SpurProcess.run(environment, "serve", "--port", "0"), "rejects the login");
            }
        }

        @Test
        void whenAnotherProgramChangedTheTables() throws Exception {
            try (var database = TestDatabase.create()) {
                database.execute("CREATE TABLE flyway_schema_history (nonsense int)");

                var result = SpurProcess.run(database.environment(), "serve", "--port", "0");

                assertRefused(result, "spur: The database cannot be migrated: ");
                assertThat(result.output()).contains("installed_rank", "Set SPUR_DATABASE_URL to an empty database");
            }
        }

        @Test
        void whenASettingIsWrong() throws Exception {
            try (var database = TestDatabase.create()) {
                var environment = with(database.environment(), "SPUR_ROUNDS_LEASE", "8");

                assertRefused(
                        SpurProcess.run(environment, "serve", "--port", "0"),
                        "spur: The setting spur.rounds.lease is 8, which is not a valid Duration: a duration needs a "
                                + "unit, such as 8s. Correct System Environment Property \"SPUR_ROUNDS_LEASE\".");
            }
        }

        @Test
        void whenTheLogFormatIsUnknown() throws Exception {
            assertRefused(
                    SpurProcess.run(Map.of("SPUR_LOG_FORMAT", "xml"), "serve", "--port", "0"),
                    "spur: SPUR_LOG_FORMAT is xml; expected text or json.");
        }

        @Test
        void whenJavaIsTooOld() throws Exception {
            Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
            Files.writeString(java, "#!/bin/sh\necho '    java.specification.version = 11' >&2\n");
            Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
            String script = Path.of("..", "spur").toAbsolutePath().normalize().toString();

            try (var spur = SpurProcess.start(List.of(script, "serve"), Map.of("JAVA_HOME", directory.toString()))) {
                assertRefused(
                        spur.awaitEnd(),
                        "spur: %s is Java 11; Spur needs a JDK 17 or newer. Set JAVA_HOME.".formatted(java));
            }
        }

        private void assertRefused(SpurProcess.Result result, String line) {
            assertThat(result.output().lines().filter(printed -> !printed.startsWith("Spur starts, ")))
                    .hasSize(1);
            assertThat(result.output()).contains(line);
            assertThat(result.status()).isEqualTo(1);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Map<String, String> with(Map<String, String> environment, String name, String value) {
        var changed = new HashMap<>(environment);
        changed.put(name, value);
        return changed;
    }

    private static int status(String uri) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(uri)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
