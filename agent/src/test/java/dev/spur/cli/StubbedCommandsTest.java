package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands whose result depends on responses that a real service gives only after a while. */
class StubbedCommandsTest {
    private static final String DONE = "00000000-0000-0000-0000-000000000001";
    private static final String FAILED = "00000000-0000-0000-0000-000000000002";
    private static final String LOST = "00000000-0000-0000-0000-000000000003";
    private static final Map<String, String> ANSWERS = Map.of(
            "/api/v1/jobs/" + DONE,
            "{\"id\": \"1\", \"name\": \"fine\", \"state\": \"DONE\"}",
            "/api/v1/jobs/" + FAILED,
            "{\"id\": \"2\", \"name\": \"broken\", \"state\": \"FAILED\", \"failure\": {\"exitCode\": 7, \"message\": \"Exit code 7.\"}}",
            "/api/v1/jobs/" + LOST,
            "{\"id\": \"3\", \"name\": \"lost\", \"state\": \"FAILED\", \"failure\": {\"exitCode\": null, \"message\": \"No process.\"}}",
            "/api/v1/jobs/" + LOST + "/explanation",
            "{\"state\": \"CANCELLED\", \"message\": \"The job is cancelled.\", \"dependencies\": [{\"depth\": 1, \"name\": \"a\", "
                    + "\"jobId\": \"1\", \"state\": \"FAILED\", \"when\": \"SUCCEEDED\", \"met\": false}]}",
            "/api/v1/jobs/" + DONE + "/logs",
            "{\"message\": \"Generation 2 runs since 2026-01-01T00:00:00Z.\", \"ranks\": [{\"lines\": []}]}",
            "/api/v1/whoami",
            "{\"name\": \"ann\", \"roles\": [\"SUBMITTER\"]}");

    @TempDir
    private Path folder;

    private final StringWriter printed = new StringWriter();
    private HttpServer stub;

    @BeforeEach
    void start() throws IOException {
        stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stub.createContext("/", exchange -> {
            byte[] body = ANSWERS.getOrDefault(exchange.getRequestURI().getPath(), "{}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        stub.start();
    }

    @AfterEach
    void stop() {
        stub.stop(0);
    }

    @Test
    void theExitCodeIsThatOfTheFirstArgumentThatIsNotDone() {
        assertThat(waitFor(DONE)).isZero();
        assertThat(waitFor(DONE, FAILED, LOST)).isEqualTo(7);
        assertThat(printed.toString()).contains("(fine) is DONE.", "(broken) is FAILED. Exit code 7.");
        assertThat(waitFor(LOST, FAILED)).isEqualTo(1);
    }

    @Test
    void anEndedJobWaitsForNoOtherJob() {
        int status = new CommandLine(new WhyCommand())
                .setOut(new PrintWriter(printed, true))
                .execute("--service=" + url(), LOST);

        assertThat(status).isZero();
        assertThat(printed.toString()).contains("The job is cancelled.").doesNotContain("Waits");
    }

    @Test
    void logsStateOnTheStandardErrorThatNothingWasWritten() {
        StringWriter errors = new StringWriter();

        int status = new CommandLine(new LogsCommand())
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(errors, true))
                .execute("--service=" + url(), DONE);

        assertThat(status).isZero();
        assertThat(printed.toString()).isEmpty();
        assertThat(errors.toString())
                .isEqualTo("Generation 2 runs since 2026-01-01T00:00:00Z." + System.lineSeparator());
    }

    @Test
    void loginStoresTheTokenThatTheServiceAccepts() {
        var file = new LoginFile(folder.resolve("spur").resolve("login"));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("secret\n".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run(new LoginCommand(file), List.of(url()))).isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(file.read()).contains(new LoginFile.Login(url(), Optional.of("secret")));
        assertThat(printed.toString()).contains("as ann (SUBMITTER)").doesNotContain("secret");
        assertThat(run(new LoginCommand(file), List.of("--logout"))).isZero();
        assertThat(file.read()).isEmpty();
    }

    private int waitFor(String... jobs) {
        List<String> words = new ArrayList<>(List.of("--service=" + url()));
        words.addAll(List.of(jobs));
        return run(new WaitCommand(), words);
    }

    private int run(Object command, List<String> words) {
        return new CommandLine(command)
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(printed, true))
                .execute(words.toArray(String[]::new));
    }

    private String url() {
        return "http://127.0.0.1:" + stub.getAddress().getPort();
    }
}
