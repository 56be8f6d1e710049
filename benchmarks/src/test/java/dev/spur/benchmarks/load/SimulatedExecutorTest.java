package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An executor whose service closes the connection of its first report without a response. */
class SimulatedExecutorTest {
    private static final double JOB_SECONDS = 0.2;
    private static final long PAUSE_MILLIS = 50;
    private static final String ASSIGNMENTS = """
            {"revision": 1, "assignments": [{"assignmentId": "job.1", "jobId": "job", "generation": 1, "desired": "RUN",
             "mayStart": true, "state": "OFFERED", "waitFor": []}]}""";

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LoadTimer alarm = new LoadTimer();
    private final SiteJobs site = new SiteJobs(JOB_SECONDS);
    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/", this::respond);
        service.start();
    }

    @AfterEach
    void stop() {
        alarm.close();
        service.stop(0);
        threads.shutdownNow();
    }

    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean isPoll = path.endsWith("/assignments");
        if (path.endsWith("/transitions")) {
            reports.add(body);
            if (reports.size() == 1) {
                exchange.close();
                return;
            }
        } else if (isPoll && exchange.getRequestURI().getQuery().contains("after=1")) {
            sleep();
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        byte[] response = (isPoll ? ASSIGNMENTS : "{\"mayStart\": true}").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, response.length);
        exchange.getResponseBody().write(response);
        exchange.close();
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aReportWithoutResponseIsRepeatedAndTheJobEnds() throws Exception {
        var address = URI.create("http://127.0.0.1:" + service.getAddress().getPort());
        var recorder = new LatencyRecorder();
        var executor = new SimulatedExecutor("n1", 1, site, new RecordingClient(address, recorder), alarm, recorder);
        executor.register().join();

        executor.start(0);

        for (int waits = 0; site.endedJobs() == 0; waits++) {
            assertThat(waits).as("pauses until the end of the job").isLessThan(400);
            sleep();
        }
        assertThat(reports.get(0)).contains("STARTING");
        assertThat(reports.get(1)).as("the same report").isEqualTo(reports.get(0));
        assertThat(reports.get(2)).contains("RUNNING");
    }
}
