package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMock;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A mock of an API server with two nodes of eight GPUs, anew for each test. */
abstract class MockApiServerFixture {
    private static final Duration SOME = Duration.ofSeconds(5);

    static KubernetesMock mock;

    KubernetesCluster cluster;

    @BeforeAll
    static void startTheMock() {
        mock = KubernetesMock.start();
    }

    @AfterAll
    static void stopTheMock() {
        mock.close();
    }

    @BeforeEach
    void beginAnew() {
        mock.clear();
        cluster = KubernetesCluster.over(mock);
        cluster.nodes(2);
    }

    static KubernetesPlatform through(KubernetesClient client) {
        return new KubernetesPlatform(client, settings("spur.dev/pool"), Clock.systemUTC());
    }

    static KubernetesSettings settings(String poolLabel) {
        return new KubernetesSettings(
                poolLabel, "topology.kubernetes.io/rack", "topology.kubernetes.io/block", SOME, SOME, SOME, SOME);
    }

    static PlatformJob look(String job) throws Exception {
        return through(mock.client()).workload().stream()
                .filter(seen -> seen.id().equals(job))
                .findFirst()
                .orElseThrow();
    }

    static StepOutcome apply(KubernetesClient client, Kind kind, String job, JobPlacement there) throws Exception {
        return through(client).apply(new JobAction(1, job, kind, there, 0), look(job));
    }

    static StepOutcome apply(Kind kind, String job, JobPlacement there) throws Exception {
        return apply(mock.client(), kind, job, there);
    }

    static List<String> enforce(KubernetesClient client, String job) throws Exception {
        return through(client).enforce(List.of(look(job)));
    }
}
