package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.testing.KubernetesObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The batch size in the pod templates of jobs. */
class BatchAnnotationTest extends MockApiServerFixture {
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 4));

    private static JsonNode annotations(ObjectNode job) {
        return job.at("/spec/template/metadata/annotations");
    }

    @Test
    void isRemovedWhenTheJobChoosesItsBatch() throws Exception {
        String job = cluster.job(4, false, true, "spur elastic-batch");
        apply(Kind.START, job, THERE.withBatch(512));
        assertThat(annotations(cluster.object(job)).path(BatchAnnotation.NAME).asString())
                .isEqualTo("512");

        apply(Kind.STOP, job, JobPlacement.NONE);
        apply(Kind.START, job, THERE);

        assertThat(annotations(cluster.object(job)).has(BatchAnnotation.NAME)).isFalse();
    }

    @Test
    void isRequiredOfAContainerOfAnElasticJob() throws Exception {
        Map<String, Object> template = KubernetesObjects.template("bare", 1, false);
        JsonNode bare = cluster.api()
                .create(
                        "/apis/batch/v1/namespaces/ml/jobs",
                        KubernetesObjects.job("bare", 4, withoutVariables(template), true, "spur elastic-batch"));

        String id = Workload.id("ml", "job", "bare", bare.at("/metadata/uid").asString());

        assertThat(look(id).unsupportedReason().orElseThrow())
                .contains(
                        "requires a variable, such as SPUR_GLOBAL_BATCH, with fieldPath metadata.annotations['spur.dev/batch']");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> withoutVariables(Map<String, Object> template) {
        Map<String, Object> spec = (Map<String, Object>) template.get("spec");
        ((List<Map<String, Object>>) spec.get("containers")).get(0).remove("env");
        return template;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "many", "-8"})
    void ofAnotherTextIsNone(String text) throws Exception {
        String job = cluster.job(4, false, true, "spur elastic-batch");
        apply(Kind.START, job, THERE.withBatch(512));
        ObjectNode changed = cluster.object(job);
        ((ObjectNode) annotations(changed)).put(BatchAnnotation.NAME, text);
        Workload workload = new Workload(WorkloadKinds.find("job").orElseThrow(), changed);

        assertThat(BatchAnnotation.read(workload, workload.shape().roles().get(0)))
                .isNull();
    }
}
