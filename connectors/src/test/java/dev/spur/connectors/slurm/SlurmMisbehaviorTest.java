package dev.spur.connectors.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.SlurmCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers of a real Slurm that are not so, its own and some that are put into its mouth. */
@Tag("platform")
class SlurmMisbehaviorTest {
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 4));

    private static SlurmCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        Optional<String> missing = SlurmCluster.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing.orElse(""));
        cluster = SlurmCluster.start();
    }

    @AfterEach
    void clear() throws Exception {
        cluster.clear();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static SlurmSettings settings(URI url) {
        return new SlurmSettings(
                url,
                "slurm",
                Optional.empty(),
                "scontrol",
                Optional.of(cluster.conf()),
                List.of("gpu", "cpu"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2));
    }

    private static PlatformJob look(SlurmPlatform platform, String job) throws Exception {
        return platform.workload().stream()
                .filter(seen -> seen.id().equals(job))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aChangeOfARunningJobIsAnsweredWellAndNotMade() throws Exception {
        String job = cluster.submit("--nodes=2", "--gpus-per-node=4", "--comment=spur");
        SlurmPlatform platform = new SlurmPlatform(settings(cluster.url()), Clock.systemUTC());
        await(() -> look(platform, job).state() == State.RUNNING);

        new SlurmClient(settings(cluster.url())).change(job, Map.of("nodes", List.of(1, 1)));

        assertThat(look(platform, job).held()).isEqualTo(JobPlacement.of(Map.of("gpu1", 4, "gpu2", 4)));
    }

    @Test
    void aReleaseThatIsAnsweredWellAndNotMadeIsFoundOut() throws Exception {
        String job = cluster.submit("--hold", "--gpus-per-node=4", "--comment=spur");
        HttpServer liar = liar();
        try {
            URI url = URI.create("http://127.0.0.1:" + liar.getAddress().getPort());
            SlurmPlatform platform = new SlurmPlatform(settings(url), Clock.systemUTC());

            StepOutcome outcome = platform.apply(new JobAction(1, job, Kind.START, THERE, 0), look(platform, job));

            assertThat(outcome)
                    .isEqualTo(new StepOutcome.Unchanged("job %s was released but is still held".formatted(job)));
        } finally {
            liar.stop(0);
        }
    }

    @Test
    void shapesThatSlurmCannotGiveAreRefusedAndLeaveTheJobAsItWas() throws Exception {
        String job = cluster.submit("--hold", "--gpus-per-node=4", "--comment=spur");
        SlurmPlatform platform = new SlurmPlatform(settings(cluster.url()), Clock.systemUTC());
        JobPlacement uneven = JobPlacement.of(Map.of("gpu1", 4, "gpu2", 2));

        StepOutcome outcome = platform.apply(new JobAction(1, job, Kind.START, uneven, 0), look(platform, job));

        assertThat(outcome).isInstanceOf(StepOutcome.Rejected.class);
        assertThat(look(platform, job).mark()).isEmpty();
    }

    @Test
    void whoIsNoOperatorIsRefused() throws Exception {
        String job = cluster.submit("--hold", "--gpus-per-node=4", "--comment=spur");
        SlurmSettings own = settings(cluster.url());
        SlurmSettings other = new SlurmSettings(
                own.url(),
                "daemon",
                own.tokenFile(),
                own.scontrol(),
                own.conf(),
                own.partitions(),
                own.timeout(),
                own.killWait(),
                own.restart());
        SlurmPlatform platform = new SlurmPlatform(other, Clock.systemUTC());

        StepOutcome outcome = platform.apply(new JobAction(1, job, Kind.START, THERE, 0), look(platform, job));

        assertThat(outcome).isInstanceOf(StepOutcome.Rejected.class);
        assertThat(outcome.detail()).containsIgnoringCase("denied");
    }

    @Test
    void aSlurmThatDoesNotAnswerIsNoAnswer() throws Exception {
        SlurmPlatform there = new SlurmPlatform(settings(cluster.url()), Clock.systemUTC());
        String job = cluster.submit("--hold", "--gpus-per-node=4", "--comment=spur");
        PlatformJob seen = look(there, job);
        SlurmPlatform gone = new SlurmPlatform(settings(URI.create("http://127.0.0.1:1")), Clock.systemUTC());

        StepOutcome outcome = gone.apply(new JobAction(1, job, Kind.START, THERE, 0), seen);

        assertThat(outcome).isInstanceOf(StepOutcome.NoResponse.class);
    }

    private interface Question {
        boolean holds() throws Exception;
    }

    private static void await(Question question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!question.holds()) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Passes reads on, and answers every change with 200 and no errors without passing it on. */
    private static HttpServer liar() throws IOException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{\"errors\": []}".getBytes(StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("GET")) {
                HttpRequest.Builder request = HttpRequest.newBuilder(
                        cluster.url().resolve(exchange.getRequestURI().getPath()));
                for (String name : List.of("X-SLURM-USER-NAME", "X-SLURM-USER-TOKEN")) {
                    request.header(name, exchange.getRequestHeaders().getFirst(name));
                }
                try {
                    body = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                            .body();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}
