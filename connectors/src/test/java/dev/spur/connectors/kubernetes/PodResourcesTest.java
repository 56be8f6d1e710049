package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesObjects;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class PodResourcesTest extends MockApiServerFixture {
    private static final String LEVELS = "spur host-levels=2:4:1+0.5:2:0.8";
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 4));

    private static ObjectNode template(int gpus) {
        ObjectNode template = JsonMapper.shared().valueToTree(KubernetesObjects.template("a", gpus, false));
        return template.deepCopy();
    }

    private static JsonNode resources(JsonNode template, int container) {
        return template.at("/spec/containers/%d/resources".formatted(container));
    }

    @Test
    void areWhatOtherContainersLeave() {
        ObjectNode template = template(2);
        ((ObjectNode) resources(template, 0)).withObject("/limits").put("memory", "64Gi");
        template.withArray("/spec/containers")
                .addObject()
                .withObject("/resources/requests")
                .put("cpu", "250m")
                .put("memory", "100M");

        PodResources.write(template, 2, HostResources.of(1.5, 4));

        assertThat(resources(template, 0).at("/requests/cpu").asString()).isEqualTo("2750m");
        assertThat(resources(template, 0).at("/requests/memory").asString())
                .isEqualTo(Long.toString(8L * 1024 * 1024 * 1024 - 100_000_000));
        assertThat(resources(template, 0).at("/limits/memory"))
                .isEqualTo(resources(template, 0).at("/requests/memory"));
        assertThat(resources(template, 0).at("/limits").has("cpu"))
                .as("its owner limits no CPUs")
                .isFalse();
        assertThat(resources(template, 1).at("/requests/cpu").asString()).isEqualTo("250m");
        assertThat(Gpus.request(template.path("spec"), "cpu")).isEqualTo(3);
    }

    @Test
    void showThatOthersHaveChangedThem() throws Exception {
        String job = cluster.pytorchJob(4, true, LEVELS);
        assertThat(apply(Kind.START, job, THERE.withHost(HostResources.of(0.5, 2))))
                .isInstanceOf(StepOutcome.Accepted.class);
        assertThat(look(job).pinned()).isEqualTo(THERE.withHost(HostResources.of(0.5, 2)));

        ObjectNode changed = cluster.object(job);
        ((ObjectNode) resources(changed.at("/spec/pytorchReplicaSpecs/Worker/template"), 0))
                .withObject("/requests")
                .put("cpu", "3");
        cluster.api().put("/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs/" + job.split("/", -1)[2], changed);

        assertThat(look(job).pinned().host()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"34, false", "35, false", "36, true", "37+, true", "'', false"})
    void changeInBatchJobsSinceAVersion(String minor, boolean offered) throws Exception {
        mock.version(minor);
        String job = cluster.job(4, false, true, LEVELS);
        String plain = cluster.job(4, false, true, "spur");
        String operator = cluster.pytorchJob(4, true, LEVELS);

        assertThat(look(job).isOffered()).isEqualTo(offered);
        assertThat(look(job).unsupportedReason().orElse("Kubernetes 1.36")).contains("Kubernetes 1.36");
        assertThat(look(plain).isOffered()).isTrue();
        assertThat(look(operator).isOffered()).isTrue();
    }

    @Test
    void doNotChangeInPodsOfVolcanoAndOfKueue() throws Exception {
        assertThat(look(cluster.volcanoJob(4, true, LEVELS)).unsupportedReason().orElseThrow())
                .contains("requests can change");
    }

    @Test
    void mustExceedThoseOfOtherContainers() throws Exception {
        ObjectNode template = template(1);
        template.withArray("/spec/containers")
                .addObject()
                .put("name", "side")
                .withObject("/resources/requests")
                .put("cpu", "500m");
        Map<String, Object> pods = JsonMapper.shared().convertValue(template, new TypeReference<>() {});
        JsonNode made = cluster.api()
                .create("/apis/batch/v1/namespaces/ml/jobs", KubernetesObjects.job("side", 4, pods, true, LEVELS));

        String id = Workload.id("ml", "job", "side", made.at("/metadata/uid").asString());

        assertThat(look(id).unsupportedReason())
                .contains("a level of host-levels is no more than the other containers of a pod request");
    }
}
