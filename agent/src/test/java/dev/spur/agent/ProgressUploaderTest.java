package dev.spur.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.SmallFile;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.ServiceClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** A training that continues, whatever the service responds to its reports. */
class ProgressUploaderTest {
    private static final int LIMIT_SECONDS = 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<String> log = new ArrayList<>();
    private volatile int status = 200;
    /** Number of the last report that the service has. */
    private volatile long known;

    private HttpServer server;
    private StateDirectory state;
    private ProcessRuns runs;
    private ProcessRun run;
    private ProgressUploader uploader;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String report = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.add(report);
            boolean applied = JSON.readTree(report).path("seq").asLong() > known;
            byte[] body = "{\"detail\": \"response of the test\", \"applied\": %s}"
                    .formatted(applied)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        uploader = new ProgressUploader(new ServiceClient(address, Optional::empty), log::add);
        state = StateDirectory.open(folder);
        new LeaseFile(state).renew(LeaseFile.uptime(), Duration.ofHours(1));
        var bounds = new ProcessRuns.LogBounds(1 << 20, 1 << 20, 100, Duration.ofDays(1));
        runs = ProcessRuns.reattach(state, Optional.empty(), bounds, line -> {});
        var process = new RunSpec.ProcessSpec(0, List.of("sh", "-c", "sleep 1000"), Map.of(), "");
        run = runs.start(new RunSpec("job.1", "job", 1, List.of("GPU-0"), List.of(process), 5, true, 0, 0));
    }

    @AfterEach
    void close() throws Exception {
        runs.stop(run.spec().id(), "end of the test", 0);
        awaitEnd();
        state.close();
        server.stop(0);
    }

    private void awaitEnd() throws InterruptedException {
        for (int i = 0; i < LIMIT_SECONDS * 20 && run.phase() != ProcessRun.Phase.ENDED; i++) {
            runs.observe();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void report(String text) {
        SmallFile.write(folder.resolve("runs/job.1/report/progress.json"), text);
    }

    /** Uploads until there is nothing left, in the pauses of the uploader. */
    private void uploadAll() throws InterruptedException {
        for (int i = 0; i < LIMIT_SECONDS * 20 && !uploader.upload(run); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    void aReportThatIsNullIsInvalid() throws Exception {
        report("null");
        uploadAll();

        assertThat(received).isEmpty();
        assertThat(log).anyMatch(line -> line.contains("invalid report"));
    }

    @Test
    void aChangeThatIsNullIsLeftOut() throws Exception {
        report("{\"samples\": 5, \"steps\": 1, \"changes\": [null]}");
        uploadAll();

        assertThat(received).singleElement().asString().contains("\"samplesTotal\":5.0");
        assertThat(log).anyMatch(line -> line.contains("invalid change"));
    }

    @Test
    void aReportIsRepeatedUntilTheServiceResponds() throws Exception {
        status = 503;
        report("{\"samples\": 64}");
        assertThat(uploader.upload(run)).isFalse();
        status = 200;
        uploadAll();

        assertThat(received).hasSize(2).allMatch(body -> body.contains("\"samplesTotal\":64"));
        assertThat(log).isEmpty();
        assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
    }

    @Test
    void aReportIsRepeatedUntilItsNumberIsAboveThatOfAnAgentWithALaterClock() throws Exception {
        known = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        report("{\"samples\": 64}");
        uploadAll();
        assertThat(received).hasSizeBetween(2, 10);
        assertThat(JSON.readTree(received.get(received.size() - 1)).path("seq").asLong())
                .isGreaterThan(known);

        report("{\"samples\": 128}");
        int before = received.size();
        uploadAll();
        assertThat(received).hasSize(before + 1);
    }

    @Test
    void anUnreachableServiceDoesNotStopTheTraining() throws Exception {
        server.stop(0);
        report("{\"samples\": 64}");

        assertThat(uploader.upload(run)).isFalse();
        assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
    }

    @Test
    void aRejectionIsLoggedOncePerCauseAndLaterReportsAreSent() throws Exception {
        status = 400;
        report("{\"samples\": 64}");
        uploadAll();
        report("{\"samples\": 128}");
        uploadAll();
        status = 200;
        report("{\"samples\": 192}");
        uploadAll();

        assertThat(log).containsExactly("the service rejected progress of job.1: 400 response of the test");
        assertThat(received).hasSize(3);
        assertThat(received.get(2)).contains("\"samplesTotal\":192");
        assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
    }

    @Test
    void anInvalidReportIsLoggedOnceAndTheNextValidOneIsSent() throws Exception {
        for (String text : List.of("{", "[1]", "{\"samples\": 64}")) {
            report(text);
            uploadAll();
        }

        assertThat(log).containsExactly("the reporter of job.1 wrote an invalid report");
        assertThat(received).hasSize(1);
    }

    @Test
    void changesAndTimesOfStepsAreSentWithTheProgress() throws Exception {
        double now = LeaseFile.uptime();
        report(("{\"samples\": 64, \"firstStep\": %s, \"lastStep\": %s,"
                        + " \"changes\": [{\"number\": 1, \"mechanism\": \"RESCALE\", \"stallSeconds\": 0.5}]}")
                .formatted(now - 30, now - 1));
        uploadAll();

        assertThat(received)
                .singleElement()
                .satisfies(body -> assertThat(body)
                        .contains("\"changes\":[{\"number\":1,\"kind\":\"RESCALE\",\"stallSeconds\":0.5}]")
                        .containsPattern(
                                "\"stepTimes\":\\{\"firstSecondsAgo\":3[0-9][.0-9]*,\"lastSecondsAgo\":[1-9][.0-9]*}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"number\": 1, \"mechanism\": \"RESCALE\", \"stallSeconds\": -1}",
                "{\"number\": 1, \"mechanism\": \"RESCALE\", \"stallSeconds\": 1e300}",
                "{\"number\": 0, \"mechanism\": \"RESCALE\", \"stallSeconds\": 1}",
                "{\"number\": 1, \"mechanism\": \"OTHER\", \"stallSeconds\": 1}"
            })
    void anInvalidChangeIsLoggedAndLeftOut(String change) throws Exception {
        report("{\"samples\": 64, \"changes\": [%s]}".formatted(change));
        uploadAll();

        assertThat(received)
                .singleElement()
                .satisfies(body -> assertThat(body).contains("\"samplesTotal\":64", "\"changes\":[]"));
        assertThat(log).singleElement().satisfies(line -> assertThat(line).contains("job.1 wrote an invalid change"));
        assertThat(run.phase()).isEqualTo(ProcessRun.Phase.RUNNING);
    }

    @Test
    void aNewBatchIsInTheDirectiveOfTheRunningTraining() {
        run.writeDirective(DirectiveFile.json(new Assignment.Batch(32, 1, 256), null));

        assertThat(SmallFile.read(folder.resolve("runs/job.1/control/directive")))
                .hasValue("{\"batch\":{\"perDevice\":32,\"accumulation\":1,\"global\":256}}");
    }

    @Test
    void newRanksAreInTheDirectiveOfTheRunningTraining() {
        var change = new Assignment.Rescale(
                2, Arrays.asList(0, null), new Assignment.Master("n1", "10.0.0.7", 20019), true, false, false);

        assertThat(DirectiveFile.json(new Assignment.Batch(32, 0, 64), change))
                .endsWith(",\"rescale\":{\"number\":2,\"ranks\":[0,null],"
                        + "\"master\":{\"address\":\"10.0.0.7\",\"port\":20019}}}");
    }
}
