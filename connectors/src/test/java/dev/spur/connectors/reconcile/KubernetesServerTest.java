package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.testing.KubernetesApi;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
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
    class APod {
        private static final String PODS = "/api/v1/namespaces/ml/pods/";

        /** A pod as Volcano makes it, and as the connector may change it. */
        private void change(Consumer<ObjectNode> change) {
            cluster.api()
                    .create(
                            PODS.substring(0, PODS.length() - 1),
                            Map.of(
                                    "metadata",
                                    Map.of("name", "gated"),
                                    "spec",
                                    Map.of(
                                            "schedulingGates",
                                            List.of(Map.of("name", "spur.dev/plan")),
                                            "initContainers",
                                            List.of(Map.of("name", "i", "image", "init:1")),
                                            "containers",
                                            List.of(Map.of("name", "c", "image", "train:1")))));
            try {
                ObjectNode pod = cluster.api().get(PODS + "gated").orElseThrow();
                change.accept(pod);
                new KubernetesApi(connector).put(PODS + "gated", pod);
            } finally {
                cluster.api().delete(PODS + "gated");
            }
        }

        @Test
        void isReleasedToAHost() {
            change(pod -> {
                pod.withObject("/spec/nodeSelector").put("kubernetes.io/hostname", "gpu1");
                pod.withObject("/spec").putArray("schedulingGates");
            });
        }

        @Test
        void isNotChangedOtherwise() throws Exception {
            List<Consumer<ObjectNode>> changes = List.of(
                    pod -> ((ObjectNode) pod.at("/spec/initContainers/0")).put("image", "other:1"),
                    pod -> pod.withObject("/metadata/annotations").put("a", "b"),
                    pod -> pod.withObject("/metadata").putArray("finalizers").add("a.b/c"),
                    pod -> pod.withObject("/metadata")
                            .putArray("ownerReferences")
                            .addObject()
                            .put("apiVersion", "v1")
                            .put("kind", "ConfigMap")
                            .put("name", "a")
                            .put("uid", "b"),
                    pod -> ((ArrayNode) pod.at("/spec/tolerations")).addObject().put("operator", "Exists"),
                    pod -> pod.withObject("/spec/nodeSelector").put("disk", "nvme"));
            for (Consumer<ObjectNode> one : changes) {
                // a policy that is new is not enforced at once
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (isAccepted(one)) {
                    assertThat(System.nanoTime()).isLessThan(end);
                    TimeUnit.MILLISECONDS.sleep(100);
                }
            }
        }

        private boolean isAccepted(Consumer<ObjectNode> change) {
            try {
                change(change);
                return true;
            } catch (KubernetesClientException no) {
                assertThat(no.getStatus().getMessage()).contains("The connector of Spur");
                return false;
            }
        }
    }

    @Nested
    class TheMark {
        private static final String CLUSTERS = "/apis/ray.io/v1/namespaces/ml/rayclusters";

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

        @Test
        void mayBeCopiedByKubeRayAndNotKeptWithoutItsOwner() throws Exception {
            isWrittenBySpurOnly();
            try (KubernetesClient owner = server.owner()) {
                KubernetesApi api = new KubernetesApi(owner);
                api.create(CLUSTERS, cluster("copy", true));
                assertThatThrownBy(() -> api.create(CLUSTERS, cluster("forged", false)))
                        .hasMessageContaining("written by Spur alone");

                ObjectNode copy = api.get(CLUSTERS + "/copy").orElseThrow();
                copy.withObject("/metadata").remove("ownerReferences");
                assertThatThrownBy(() -> api.put(CLUSTERS + "/copy", copy))
                        .hasMessageContaining("written by Spur alone");
            }
        }

        private static Map<String, Object> cluster(String name, boolean owned) {
            Map<String, Object> owner =
                    Map.of("apiVersion", "ray.io/v1", "kind", "RayJob", "name", "job", "uid", "u", "controller", true);
            return Map.of(
                    "apiVersion",
                    "ray.io/v1",
                    "kind",
                    "RayCluster",
                    "metadata",
                    Map.of(
                            "name",
                            name,
                            "annotations",
                            Map.of("spur.dev/mark", "spur rev=1 since=1 hold"),
                            "ownerReferences",
                            owned ? List.of(owner) : List.of()),
                    "spec",
                    Map.of());
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
