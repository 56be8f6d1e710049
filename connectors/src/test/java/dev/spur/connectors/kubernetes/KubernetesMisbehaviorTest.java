package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMeddler;
import dev.spur.connectors.testing.KubernetesMeddler.Meddling;
import dev.spur.connectors.testing.KubernetesMock;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Answers that are not so, and people and webhooks that are faster. */
class KubernetesMisbehaviorTest {
    private static final KubernetesSettings SETTINGS = new KubernetesSettings(
            "spur.dev/pool",
            "topology.kubernetes.io/rack",
            "topology.kubernetes.io/block",
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60));
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 4));

    private static KubernetesMock mock;

    private KubernetesCluster cluster;

    @BeforeAll
    static void start() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stop() {
        mock.close();
    }

    @BeforeEach
    void begin() {
        mock.clear();
        cluster = KubernetesCluster.over(mock);
        cluster.nodes(2);
    }

    private static KubernetesPlatform through(KubernetesClient client) {
        return new KubernetesPlatform(client, SETTINGS, Clock.systemUTC());
    }

    private static PlatformJob look(String job) throws Exception {
        return through(mock.client()).workload().stream()
                .filter(seen -> seen.id().equals(job))
                .findFirst()
                .orElseThrow();
    }

    private static StepOutcome start(String job, Meddling meddling) throws Exception {
        return start(job, look(job), meddling);
    }

    private static StepOutcome start(String job, PlatformJob seen, Meddling meddling) throws Exception {
        return through(KubernetesMeddler.client(mock.client(), meddling))
                .apply(new JobAction(1, job, Kind.START, THERE, 0), seen);
    }

    @Test
    void aChangeThatIsAnsweredWellAndNotMadeIsFoundOut() throws Exception {
        String job = cluster.pytorchJob(4, true, "spur");

        StepOutcome outcome =
                start(job, (method, path, body, passing) -> method.equals("PUT") ? body : passing.on(body));

        assertThat(outcome).isInstanceOf(StepOutcome.Unchanged.class);
        assertThat(look(job).mark()).isEmpty();
    }

    @Test
    void aStopThatIsAnsweredWellAndNotMadeIsFoundOut() throws Exception {
        String job = cluster.pytorchJob(4, false, "spur");
        KubernetesClient liar = KubernetesMeddler.client(
                mock.client(), (method, path, body, passing) -> method.equals("GET") ? passing.on(null) : body);

        StepOutcome stop = through(liar).apply(new JobAction(1, job, Kind.STOP, JobPlacement.NONE, 0), look(job));
        StepOutcome cancel = through(liar).apply(new JobAction(1, job, Kind.CANCEL, JobPlacement.NONE, 0), look(job));

        assertThat(stop).isInstanceOf(StepOutcome.Unchanged.class);
        assertThat(cancel).isInstanceOf(StepOutcome.Unchanged.class);
    }

    @Test
    void aReleaseThatAWebhookTakesBackIsFoundOut() throws Exception {
        String job = cluster.pytorchJob(4, true, "spur");

        StepOutcome outcome = start(
                job,
                (method, path, body, passing) -> passing.on(
                        method.equals("PUT") ? body.replace("\"suspend\":false", "\"suspend\":true") : body));

        assertThat(outcome)
                .isEqualTo(new StepOutcome.Unchanged("job %s was released but is still suspended".formatted(job)));
    }

    @Test
    void aSizeThatAWebhookPutsInItsPlaceIsFoundOutBeforeTheJobIsReleased() throws Exception {
        String job = cluster.pytorchJob(2, true, "spur");

        StepOutcome outcome = start(
                job,
                (method, path, body, passing) ->
                        passing.on(method.equals("PUT") ? body.replace("\"replicas\":3", "\"replicas\":2") : body));

        assertThat(outcome).isInstanceOf(StepOutcome.Unchanged.class);
        assertThat(look(job).state()).isEqualTo(State.HELD);
    }

    @Test
    void theFirstWriterKeepsItsChange() throws Exception {
        String job = cluster.pytorchJob(4, true, "spur");
        boolean[] done = {false};

        StepOutcome outcome = start(job, (method, path, body, passing) -> {
            if (method.equals("PUT") && !done[0]) {
                done[0] = true;
                cluster.change(job, object -> {
                    object.withObject("/metadata/annotations").put("spur.dev/words", "");
                    return object;
                });
            }
            return passing.on(body);
        });

        assertThat(outcome).isInstanceOf(StepOutcome.NoResponse.class);
        assertThat(look(job).annotation().offered()).isFalse();
        assertThat(look(job).mark()).isEmpty();
    }

    @Test
    void everyWriteCarriesTheVersionOfWhatWasRead() throws Exception {
        String job = cluster.job(4, false, true, "spur");
        cluster.suspend(job, false);
        cluster.controllers().step();
        cluster.suspend(job, true);
        cluster.controllers().step();
        cluster.controllers().step();
        List<String> written = new ArrayList<>();

        StepOutcome outcome = start(job, (method, path, body, passing) -> {
            if (!method.equals("GET")) {
                written.add(body);
            }
            return passing.on(body);
        });

        assertThat(outcome).isInstanceOf(StepOutcome.Accepted.class);
        assertThat(written).hasSize(3).allMatch(body -> body.contains("\"resourceVersion\":\""));
    }

    @Test
    void aJobThatAPersonReleasedSinceItWasSeenIsSuspendedBeforeItIsChanged() throws Exception {
        String job = cluster.pytorchJob(2, true, "spur");
        PlatformJob stale = look(job);
        cluster.suspend(job, false);

        StepOutcome outcome = start(job, stale, (method, path, body, passing) -> passing.on(body));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        StepOutcome.Accepted.class,
                        requested -> assertThat(requested.step()).isEqualTo(Step.HOLDING));
        assertThat(look(job).requested().slots()).isEqualTo(2);
    }

    @Test
    void podsThatAStaleListStillShowKeepAJobFromStarting() throws Exception {
        String job = cluster.pytorchJob(4, false, "spur");
        cluster.controllers().step();
        String before = mock.client().raw("/api/v1/pods?limit=500");
        cluster.suspend(job, true);
        cluster.controllers().step();
        cluster.controllers().step();

        List<PlatformJob> seen = through(KubernetesMeddler.client(
                        mock.client(),
                        (method, path, body, passing) -> path.startsWith("/api/v1/pods") ? before : passing.on(body)))
                .workload();

        assertThat(seen)
                .singleElement()
                .satisfies(stale -> assertThat(stale.state()).isEqualTo(State.STOPPING));
    }

    @Test
    void anotherJobOfTheSameNameIsAnotherJob() throws Exception {
        String job = cluster.pytorchJob(4, true, "spur");
        PlatformJob seen = look(job);
        ObjectNode object = cluster.object(job);
        cluster.clear();
        object.withObject("/metadata").remove(List.of("uid", "resourceVersion"));
        cluster.api().create("/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs", object);

        StepOutcome outcome = start(job, seen, (method, path, body, passing) -> passing.on(body));

        assertThat(outcome).isInstanceOf(StepOutcome.NoResponse.class);
        assertThat(cluster.object(job).at("/metadata/annotations").has("spur.dev/mark"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void aNoIsARefusal(int code) throws Exception {
        assertThat(start(cluster.pytorchJob(4, true, "spur"), denying(code))).isInstanceOf(StepOutcome.Rejected.class);
    }

    @Test
    void aMissingRightIsDeniedAndMayPass() throws Exception {
        assertThat(start(cluster.pytorchJob(4, true, "spur"), denying(403))).isInstanceOf(StepOutcome.Denied.class);
    }

    private static Meddling denying(int code) {
        return (method, path, body, passing) -> {
            if (method.equals("PUT")) {
                throw new KubernetesClientException("no", code, null);
            }
            return passing.on(body);
        };
    }

    @Test
    void checksOfKueueThatAStartingServerDeniesAreNotTakenForNone() throws Exception {
        cluster.queuedJob(4, "spur");
        KubernetesClient starting = KubernetesMeddler.client(mock.client(), (method, path, body, passing) -> {
            if (path.contains("/admissionchecks")) {
                throw new KubernetesClientException("forbidden", 403, null);
            }
            return passing.on(body);
        });

        assertThatThrownBy(() -> through(starting).workload()).isInstanceOf(IOException.class);
        assertThat(through(starting).enforce(List.of())).isEmpty();
    }

    @Test
    void podsAreListedOnceForNodesAndJobs() throws Exception {
        List<String> read = new ArrayList<>();
        KubernetesPlatform platform = through(KubernetesMeddler.client(mock.client(), (method, path, body, passing) -> {
            read.add(path);
            return passing.on(body);
        }));

        platform.inventory();
        platform.workload();

        assertThat(read).filteredOn(path -> path.startsWith("/api/v1/pods")).hasSize(1);
        platform.workload();
        assertThat(read).filteredOn(path -> path.startsWith("/api/v1/pods")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 409, 429, 500, 503})
    void noAnswerIsNone(int code) throws Exception {
        String job = cluster.pytorchJob(4, true, "spur");

        StepOutcome outcome = start(job, (method, path, body, passing) -> {
            if (method.equals("PUT")) {
                throw new KubernetesClientException("away", code, null);
            }
            return passing.on(body);
        });

        assertThat(outcome).isInstanceOf(StepOutcome.NoResponse.class);
    }
}
