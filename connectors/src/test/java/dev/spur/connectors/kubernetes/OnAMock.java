package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Action;
import dev.spur.connectors.Action.Kind;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformJob;
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
abstract class OnAMock {
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
        return new KubernetesPlatform(
                client, new KubernetesSettings("spur.dev/pool", SOME, SOME, SOME), Clock.systemUTC());
    }

    static PlatformJob look(String job) throws Exception {
        return through(mock.client()).workload().stream()
                .filter(seen -> seen.id().equals(job))
                .findFirst()
                .orElseThrow();
    }

    static Outcome apply(KubernetesClient client, Kind kind, String job, Placement there) throws Exception {
        return through(client).apply(new Action(1, job, kind, there, 0), look(job));
    }

    static Outcome apply(Kind kind, String job, Placement there) throws Exception {
        return apply(mock.client(), kind, job, there);
    }

    static List<String> uphold(KubernetesClient client, String job) throws Exception {
        return through(client).uphold(List.of(look(job)));
    }
}
