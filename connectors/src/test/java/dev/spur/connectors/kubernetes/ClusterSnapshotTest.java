package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.testing.KubernetesApi;
import dev.spur.connectors.testing.KubernetesCluster;
import dev.spur.connectors.testing.KubernetesMock;
import dev.spur.connectors.testing.KubernetesObjects;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What belongs to what. */
class ClusterSnapshotTest {
    private static KubernetesMock mock;

    private KubernetesApi api;

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
        KubernetesCluster cluster = KubernetesCluster.over(mock);
        cluster.nodes(2);
        api = cluster.api();
    }

    private static List<PlatformJob> seen() throws Exception {
        Duration some = Duration.ofSeconds(5);
        return new KubernetesPlatform(
                        mock.client(),
                        new KubernetesSettings(
                                "spur.dev/pool",
                                "topology.kubernetes.io/rack",
                                "topology.kubernetes.io/block",
                                some,
                                some,
                                some,
                                some),
                        Clock.systemUTC())
                .workload();
    }

    private static Map<String, Object> owned(String name, String words, ObjectNode owner) {
        Map<String, Object> metadata = new LinkedHashMap<>(KubernetesObjects.metadata(name, words));
        if (owner != null) {
            metadata.put(
                    "ownerReferences",
                    List.of(Map.of("uid", owner.at("/metadata/uid").asString(), "controller", true)));
        }
        return metadata;
    }

    private void pod(String name, ObjectNode owner, String node, String phase) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("nodeName", node);
        Map<String, Object> two = Map.of("nvidia.com/gpu", "2");
        spec.put("containers", List.of(Map.of("name", "a", "resources", Map.of("limits", two))));
        api.create(
                "/api/v1/namespaces/ml/pods",
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Pod",
                        "metadata",
                        owned(name, "", owner),
                        "spec",
                        spec,
                        "status",
                        Map.of("phase", phase)));
    }

    @Test
    void jobsAndPodsOfAJobSetAreAPartOfIt() throws Exception {
        Map<String, Object> template = KubernetesObjects.template("a", 2, false);
        Map<String, Object> child = Map.of("spec", Map.of("parallelism", 1, "template", template));
        ObjectNode set = api.create(
                "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets",
                Map.of(
                        "apiVersion",
                        "jobset.x-k8s.io/v1alpha2",
                        "kind",
                        "JobSet",
                        "metadata",
                        owned("set", "spur", null),
                        "spec",
                        Map.of("replicatedJobs", List.of(Map.of("name", "w", "replicas", 1, "template", child)))));
        ObjectNode job = api.create(
                "/apis/batch/v1/namespaces/ml/jobs",
                Map.of(
                        "apiVersion",
                        "batch/v1",
                        "kind",
                        "Job",
                        "metadata",
                        owned("set-w-0", "spur", set),
                        "spec",
                        Map.of("parallelism", 1, "template", template)));
        pod("set-w-0-0", job, "gpu1", "Running");

        assertThat(seen()).singleElement().satisfies(one -> {
            assertThat(one.id()).startsWith("ml/jobset/set/");
            assertThat(one.state()).isEqualTo(State.RUNNING);
            assertThat(one.held()).isEqualTo(JobPlacement.of(Map.of("gpu1", 2)));
        });
    }

    /** KubeRay copies the annotations of a RayJob to the RayCluster that it creates. */
    @Test
    void aCopyOfAJobIsNoJobEvenBeforeItsOwnerIsListed() throws Exception {
        String workers = """
                {"workerGroupSpecs": [{"replicas": 1, "template": {"spec": {"containers": [
                  {"name": "a", "resources": {"limits": {"nvidia.com/gpu": "2"}}}]}}}]}""";
        ObjectNode copy = (ObjectNode) JsonMapper.shared().readTree("""
                {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "copy", "namespace": "ml",
                  "annotations": {"spur.dev/words": "spur", "spur.dev/mark": "spur rev=1 since=1 run=gpu1:2"},
                  "ownerReferences": [{"apiVersion": "ray.io/v1", "kind": "RayJob", "name": "job", "uid": "u",
                    "controller": true}]}, "spec": %s}""".formatted(workers));
        ObjectNode made = api.create("/apis/ray.io/v1/namespaces/ml/rayclusters", copy);

        assertThat(seen()).isEmpty();

        pod("copy-worker", made, "gpu1", "Running");
        assertThat(seen()).singleElement().satisfies(pod -> {
            assertThat(pod.name()).isEqualTo("copy-worker");
            assertThat(pod.isOffered()).isFalse();
        });
    }

    @Test
    void jobsOfAnotherControllerAreJobs() throws Exception {
        ObjectNode job = (ObjectNode) KubernetesApi.tree(
                KubernetesObjects.job("nightly", 2, KubernetesObjects.template("nightly", 1, false), true, "spur"));
        job.withObject("/metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "batch/v1")
                .put("kind", "CronJob")
                .put("uid", "u")
                .put("controller", true);
        api.create("/apis/batch/v1/namespaces/ml/jobs", job);

        assertThat(seen())
                .singleElement()
                .satisfies(one -> assertThat(one.isOffered()).isTrue());
    }

    @Test
    void podsWithoutAnOwnerArePinnedJobsWhileTheyHoldGpus() throws Exception {
        pod("notebook", null, "gpu2", "Running");
        pod("done", null, "gpu2", "Succeeded");
        pod("waits", null, "", "Pending");

        assertThat(seen()).singleElement().satisfies(pod -> {
            assertThat(pod.name()).isEqualTo("notebook");
            assertThat(pod.isOffered()).isFalse();
            assertThat(pod.held()).isEqualTo(JobPlacement.of(Map.of("gpu2", 2)));
        });
    }
}
