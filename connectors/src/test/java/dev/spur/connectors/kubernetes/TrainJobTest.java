package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesApi;
import dev.spur.connectors.testing.KubernetesMeddler;
import dev.spur.connectors.testing.KubernetesObjects;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A TrainJob with the JobSet and the pods that are made for it. */
class TrainJobTest extends MockApiServerFixture {
    private static final String JOBS = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/ml/trainjobs";
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 8));
    private KubernetesApi api;
    private String id;

    @BeforeEach
    void submit() {
        api = cluster.api();
        ObjectNode job = api.create(
                JOBS,
                Map.of(
                        "apiVersion",
                        "trainer.kubeflow.org/v1alpha1",
                        "kind",
                        "TrainJob",
                        "metadata",
                        KubernetesObjects.metadata("a", "spur"),
                        "spec",
                        Map.of("suspend", true)));
        id = Workload.id("ml", "trainjob", "a", job.at("/metadata/uid").asString());
        Map<String, Object> node = Map.of(
                "name",
                "node",
                "template",
                Map.of("spec", Map.of("parallelism", 2, "template", KubernetesObjects.template("a", 4, false))));
        made("/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets", "a", job, Map.of("replicatedJobs", List.of(node)));
    }

    private ObjectNode made(String collection, String name, ObjectNode owner, Map<String, Object> spec) {
        Map<String, Object> metadata = new LinkedHashMap<>(KubernetesObjects.metadata(name, ""));
        metadata.put(
                "ownerReferences",
                List.of(Map.of("uid", owner.at("/metadata/uid").asString(), "controller", true)));
        return api.create(
                collection,
                Map.of("apiVersion", "jobset.x-k8s.io/v1alpha2", "kind", "JobSet", "metadata", metadata, "spec", spec));
    }

    private ObjectNode object() {
        return api.get(JOBS + "/a").orElseThrow();
    }

    @Test
    void isOneJobWithItsJobSet() throws Exception {
        assertThat(through(mock.client()).workload()).singleElement().satisfies(job -> {
            assertThat(job.id()).isEqualTo(id);
            assertThat(job.state()).isEqualTo(State.HELD);
            assertThat(job.requested().slots()).isEqualTo(8);
        });
    }

    @Test
    void isTiedAndResumedAndSuspendedAgain() throws Exception {
        assertThat(apply(Kind.START, id, THERE)).isInstanceOf(StepOutcome.Accepted.class);
        assertThat(object().at("/spec/suspend").asBoolean(true)).isFalse();
        assertThat(look(id).pinned()).isEqualTo(THERE);
        assertThat(look(id).state()).isEqualTo(State.WAITING);

        assertThat(apply(Kind.STOP, id, JobPlacement.NONE)).isInstanceOf(StepOutcome.Accepted.class);
        assertThat(look(id).state()).isEqualTo(State.HELD);
        assertThat(look(id).mark().orElseThrow().runs()).isFalse();
    }

    @Test
    void readsItsBatchFromAnAnnotationInThePatchOfTheRuntime() throws Exception {
        assertThat(apply(Kind.START, id, THERE.withBatch(512))).isInstanceOf(StepOutcome.Accepted.class);

        assertThat(look(id).pinned()).isEqualTo(THERE.withBatch(512));
        assertThat(object().at("/spec/runtimePatches/0/trainingRuntimeSpec/template/spec/replicatedJobs/0"
                                + "/template/spec/template/metadata/annotations")
                        .path(BatchAnnotation.NAME)
                        .asString())
                .isEqualTo("512");
    }

    @Test
    void anApiServerThatDoesNotKnowPatchesOfTheRuntimeIsFoundOutBeforeTheJobIsResumed() throws Exception {
        KubernetesClient older = KubernetesMeddler.client(
                mock.client(),
                (method, path, body, passing) ->
                        passing.on(method.equals("PUT") ? body.replace("runtimePatches", "unknown") : body));

        assertThat(apply(older, Kind.START, id, THERE)).isInstanceOf(StepOutcome.Unchanged.class);
        assertThat(look(id).state()).isEqualTo(State.HELD);
    }
}
