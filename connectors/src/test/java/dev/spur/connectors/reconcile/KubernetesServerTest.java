package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.testing.KubernetesApi;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * The contract on a real API server, which checks what it is given. What stands behind it is made up: no pod runs. It
 * is skipped unless {@code SPUR_KUBE_APISERVER} names one.
 */
@Tag("platform")
class KubernetesServerTest {
    private static KubernetesServer server;
    private static KubernetesCluster cluster;
    private static KubernetesClient connector;

    @BeforeAll
    static void start() throws Exception {
        Optional<String> missing = KubernetesServer.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing.orElse(""));
        server = KubernetesServer.start();
        cluster = KubernetesCluster.over(server.client());
        cluster.nodes(2);
        connector = server.connector();
    }

    @AfterAll
    static void stop() {
        if (connector != null) {
            connector.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Nested
    class OnBatchJobs extends KubernetesContractTest {
        @Override
        PlatformFixture open() {
            return new KubernetesFixture(cluster, connector, "job");
        }
    }

    @Nested
    class OnPyTorchJobs extends KubernetesContractTest {
        @Override
        PlatformFixture open() {
            return new KubernetesFixture(cluster, connector, "pytorchjob");
        }
    }

    @Nested
    class TheMark {
        private int marks;

        @Test
        void isWrittenBySpurOnly() throws Exception {
            String job = cluster.pytorchJob(2, true, "spur");
            try (KubernetesClient owner = server.owner()) {
                KubernetesApi api = new KubernetesApi(owner);
                String path = "/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs/" + KubernetesCluster.name(job);

                // a policy that is new is not enforced at once
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (accepts(api, path, "spur.dev/mark")) {
                    assertThat(System.nanoTime()).isLessThan(end);
                    TimeUnit.MILLISECONDS.sleep(100);
                }

                assertThat(accepts(api, path, "spur.dev/words")).isTrue();
            } finally {
                cluster.clear();
            }
        }

        private boolean accepts(KubernetesApi api, String path, String annotation) {
            ObjectNode object = api.get(path).orElseThrow();
            object.withObject("/metadata/annotations").put(annotation, "spur rev=%d since=1 hold".formatted(++marks));
            try {
                api.put(path, object);
                return true;
            } catch (KubernetesClientException no) {
                assertThat(no.getStatus().getMessage()).contains("written by Spur alone");
                return false;
            }
        }
    }
}
