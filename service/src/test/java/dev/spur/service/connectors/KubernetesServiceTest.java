package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.kubernetes.KubernetesPlatform;
import dev.spur.connectors.kubernetes.KubernetesSettings;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A mock of Kubernetes under a real service: what people submit there is planned here and runs there as planned. */
class KubernetesServiceTest extends PlatformServiceTest {
    private static KubernetesMock mock;

    private KubernetesCluster cluster;
    private Duration callTimeout = Duration.ofSeconds(20);
    private Duration startWait = Duration.ofSeconds(20);

    @BeforeAll
    static void startKubernetes() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stopKubernetes() {
        mock.close();
    }

    @BeforeEach
    void awaitItsNodes() throws Exception {
        eventually(() -> count("connector_node") == 3);
    }

    @Override
    PlatformConnection connection() {
        if (cluster == null) {
            mock.clear();
            cluster = KubernetesCluster.over(mock);
            cluster.nodes(2);
        }
        Duration some = Duration.ofSeconds(20);
        KubernetesSettings settings = new KubernetesSettings(
                "spur.dev/pool",
                "topology.kubernetes.io/rack",
                "topology.kubernetes.io/block",
                callTimeout,
                some,
                startWait,
                Duration.ofMinutes(5));
        return new PlatformConnection(
                "kubernetes",
                "KUBERNETES",
                new KubernetesPlatform(mock.client(), settings, Clock.systemUTC()),
                new JobTranslator("kubernetes", "root", 3600, 60));
    }

    @Override
    void pass() {
        cluster.controllers().step();
    }

    private int podsOn(String node, String job) {
        return (int) cluster.api().list("/api/v1/pods").stream()
                .filter(pod -> pod.at("/spec/nodeName").asString("").equals(node))
                .filter(pod -> pod.at("/metadata/name").asString().startsWith(KubernetesCluster.name(job) + "-"))
                .count();
    }

    private int pods(String job) {
        return podsOn("gpu1", job) + podsOn("gpu2", job);
    }

    private String mark(String job) {
        return cluster.object(job)
                .at("/metadata/annotations")
                .path("spur.dev/mark")
                .asString("");
    }

    @Test
    void itsNodesBecomeNodesOfPoolsAndItsJobsJobs() throws Exception {
        String held = cluster.pytorchJob(2, true, "spur");
        String signalled = cluster.pytorchJob(2, true, "spur signal=USR1@60");
        eventually(() -> jobs().size() == 1 && !connector().path("rejected").isEmpty());

        JsonNode node = api.get("/api/v1/nodes/gpu1").is(200).json();
        assertThat(node.path("pool").asString()).isEqualTo("gpu");
        assertThat(node.path("acceleratorType").asString()).isEqualTo("h200");
        assertThat(node.path("devices").size()).isEqualTo(8);
        assertThat(jobs().get(0).path("externalId").asString()).isEqualTo("kubernetes/" + held);
        assertThat(connector().path("kind").asString()).isEqualTo("KUBERNETES");
        assertThat(connector().at("/rejected/0/job").asString()).isEqualTo(signalled);
        assertThat(connector().at("/rejected/0/reason").asString()).contains("SIGTERM");
    }

    @Test
    void aPlanRunsThereAndWhatEndsThereEndsHere() throws Exception {
        controlLevel("RESIZE");
        String first = cluster.pytorchJob(8, true, "spur");
        String second = cluster.job(4, false, true, "spur");
        eventually(() -> jobs().size() == 2);

        rounds.run();
        eventually(() -> pods(first) == 8 && pods(second) == 4);
        eventually(() -> connector().at("/actions/open").isEmpty());
        assertThat(connector().at("/syncReport/inSync").asBoolean()).isTrue();
        assertThat(connector().at("/syncReport/unmanagedUsage").isEmpty()).isTrue();
        assertThat(LastAppliedState.read(mark(first)).orElseThrow().placement().total())
                .isEqualTo(8);

        cluster.end(first, "Succeeded");
        cluster.suspend(first, true);
        eventually(() -> state(first).equals("DONE"));
        assertThat(state(second)).isEqualTo("RUNNING");
    }

    @Test
    void aJobThatIsCalledOffHereEndsThere() throws Exception {
        controlLevel("ADMIT");
        String job = cluster.job(8, false, true, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> pods(job) == 8);

        api.post("/api/v1/jobs/%s/cancel".formatted(jobs().get(0).path("id").asString()))
                .is(200);

        eventually(() -> pods(job) == 0);
        assertThat(cluster.api().list("/apis/batch/v1/namespaces/ml/jobs")).isEmpty();
    }

    @Test
    void whatRunsThereWithoutSpurIsNotPlannedWith() throws Exception {
        controlLevel("ADMIT");
        cluster.job(6, false, false, "");
        eventually(() -> connector().at("/syncReport/unmanagedUsage/gpu1").asInt() == 6);
        assertThat(api.get("/api/v1/nodes/gpu1").is(200).json().path("devices").size())
                .isEqualTo(2);

        String job = cluster.pytorchJob(8, true, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();

        eventually(() -> podsOn("gpu2", job) == 8);
    }

    @Test
    void aJobThatAPersonResumesIsFixedLoadUntilItIsSuspendedAgain() throws Exception {
        controlLevel("ADMIT");
        cluster.job(8, false, false, "");
        cluster.job(8, false, false, "");
        eventually(() -> connector().at("/syncReport/unmanagedUsage/gpu2").asInt() == 8);
        String job = cluster.pytorchJob(2, true, "spur");
        eventually(() -> mark(job).contains("hold")
                && connector().at("/actions/open").isEmpty()
                && connector().at("/syncReport/pendingChanges").asInt() == 0);

        cluster.suspend(job, false);
        eventually(() -> connector().at("/syncReport/manuallyOverridden").has(job));
        assertThat(jobs().get(0).path("held").asBoolean()).isTrue();

        cluster.suspend(job, true);
        eventually(() -> !jobs().get(0).path("held").asBoolean());
    }

    @Test
    void anotherProcessGoesOnWhereThisOneStopped() throws Exception {
        controlLevel("ADMIT");
        String job = cluster.job(8, false, true, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> connector().at("/syncReport/inSync").asBoolean() && pods(job) == 8);
        String id = jobs().get(0).path("id").asString();

        api.post("/api/v1/jobs/%s/hold".formatted(id)).is(200);
        eventually(() -> mark(job).contains("hold"));
        stop();
        start();

        eventually(() -> pods(job) == 0 && connector().at("/actions/open").isEmpty());
        assertThat(cluster.controllers().starts(KubernetesCluster.name(job))).isEqualTo(1);
    }

    @Test
    void aJobWhosePodsAQuotaDeniesReturnsItsGpusWithTheReason() throws Exception {
        stop();
        callTimeout = Duration.ofSeconds(3);
        startWait = Duration.ZERO;
        start();
        controlLevel("ADMIT");
        cluster.controllers().quota(0);
        String job = cluster.job(8, false, true, "spur");
        eventually(() -> jobs().size() == 1 && mark(job).contains("hold"));

        rounds.run();

        eventually(() -> world.value(Long.class, "select count(*) from job_event where kind = 'REQUEUED'") == 1);
        assertThat(world.value(String.class, "select detail ->> 'detail' from job_event where kind = 'REQUEUED'"))
                .contains("exceeded quota");
        assertThat(state(job)).isEqualTo("WAITING");
        assertThat(connector().at("/actions/failed/0/detail").asString()).contains("exceeded quota");
        eventually(() ->
                mark(job).contains("hold") && connector().at("/actions/open").isEmpty());
        assertThat(connector().path("controlLevel").asString()).isEqualTo("ADMIT");
        assertThat(connector().at("/actions/failed/0/detail").asString()).contains("exceeded quota");
    }

    @Test
    void aShortSilenceOfTheNodesStopsNothing() throws Exception {
        controlLevel("RESIZE");
        String job = cluster.job(8, false, true, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();
        eventually(() -> pods(job) == 8 && connector().at("/actions/open").isEmpty());

        List.of("gpu1", "gpu2").forEach(node -> cluster.silence(node, Instant.now()));
        eventually(
                () -> nodeState("gpu1").equals("CORDONED") && nodeState("gpu2").equals("CORDONED"));
        rounds.run();
        eventually(() -> connector().at("/syncReport/inSync").asBoolean());

        assertThat(state(job)).isEqualTo("RUNNING");
        assertThat(cluster.controllers().starts(KubernetesCluster.name(job))).isEqualTo(1);
        assertThat(connector().at("/syncReport/notes").toString()).contains("like most nodes (2 of 3)");

        List.of("gpu1", "gpu2").forEach(node -> cluster.report(node, Instant.now()));
        eventually(() -> nodeState("gpu1").equals("ACTIVE") && nodeState("gpu2").equals("ACTIVE"));
        assertThat(cluster.controllers().starts(KubernetesCluster.name(job))).isEqualTo(1);
    }

    private String nodeState(String node) {
        return api.get("/api/v1/nodes/" + node).is(200).json().path("state").asString();
    }

    @Test
    void aCordonedNodeGetsNothingNew() throws Exception {
        controlLevel("ADMIT");
        cluster.change("/api/v1/nodes/gpu1", Map.of("unschedulable", true));
        eventually(() -> api.get("/api/v1/nodes/gpu1")
                .is(200)
                .json()
                .path("state")
                .asString()
                .equals("CORDONED"));

        String job = cluster.job(4, false, true, "spur");
        eventually(() -> jobs().size() == 1);
        rounds.run();

        eventually(() -> podsOn("gpu2", job) == 4);
    }

    @Test
    void aVolcanoJobIsLetGoByThePlan() throws Exception {
        controlLevel("ADMIT");
        String job = cluster.volcanoJob(4, true, "spur");
        eventually(() -> jobs().size() == 1 && mark(job).contains("hold"));
        assertThat(pods(job)).isZero();

        rounds.run();

        eventually(() -> pods(job) >= 4
                && connector().at("/syncReport/inSync").asBoolean()
                && connector().at("/actions/open").isEmpty());
        assertThat(state(job)).isEqualTo("RUNNING");
    }

    @Test
    void aQueueOfKueueIsAskedToWaitForThePlan() throws Exception {
        controlLevel("ADMIT");
        cluster.controllers().kueue().install("spur.dev/plan", 16);
        String job = cluster.queuedJob(4, "spur");
        eventually(() -> jobs().size() == 1 && mark(job).contains("hold"));

        rounds.run();

        eventually(() -> pods(job) == 4 && connector().at("/actions/open").isEmpty());
        String id = jobs().get(0).path("id").asString();
        api.post("/api/v1/jobs/%s/hold".formatted(id)).is(200);
        eventually(() -> pods(job) == 0);
    }
}
