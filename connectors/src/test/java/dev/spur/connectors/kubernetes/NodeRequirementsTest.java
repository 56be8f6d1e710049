package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.testing.KubernetesObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a job requires of its nodes beyond its pool. */
class NodeRequirementsTest extends MockApiServerFixture {
    private static final JsonNode NODE = json("""
            {"metadata": {"name": "gpu1", "labels": {"kubernetes.io/hostname": "host1", "zone": "a", "cores": "64"}},
             "spec": {"taints": [{"key": "dedicated", "value": "vision", "effect": "NoSchedule"}]}}""");
    private static final String TOLERATED = "[{\"key\": \"dedicated\", \"value\": \"vision\"}]";

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static Optional<String> unmet(String spec) {
        return NodeRequirements.unmet(json(spec), NODE);
    }

    private static Optional<String> unmetBy(String expressions) {
        return unmet("""
                {"tolerations": %s, "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
                  {"nodeSelectorTerms": [%s]}}}}""".formatted(TOLERATED, expressions));
    }

    @Nested
    class ATaint {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    TOLERATED,
                    "[{\"key\": \"dedicated\", \"operator\": \"Exists\"}]",
                    "[{\"operator\": \"Exists\"}]",
                    "[{\"key\": \"dedicated\", \"value\": \"vision\", \"effect\": \"NoSchedule\"}]"
                })
        void isTolerated(String tolerations) {
            assertThat(unmet("{\"tolerations\": %s}".formatted(tolerations))).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[]",
                    "[{\"key\": \"dedicated\", \"value\": \"speech\"}]",
                    "[{\"key\": \"other\", \"operator\": \"Exists\"}]",
                    "[{\"operator\": \"Exists\", \"effect\": \"NoExecute\"}]"
                })
        void isNotTolerated(String tolerations) {
            assertThat(unmet("{\"tolerations\": %s}".formatted(tolerations)))
                    .contains("it does not tolerate the taint dedicated=vision:NoSchedule");
        }

        @ParameterizedTest
        @CsvSource({
            "node.kubernetes.io/unreachable,NoExecute",
            "nvidia.com/gpu,NoSchedule",
            "dedicated,PreferNoSchedule",
            "ToBeDeletedByClusterAutoscaler,NoSchedule"
        })
        void ofATimeOrOfAGpuOrThatOnlyAdvisesExcludesNothing(String key, String effect) {
            JsonNode node =
                    json("{\"spec\": {\"taints\": [{\"key\": \"%s\", \"effect\": \"%s\"}]}}".formatted(key, effect));

            assertThat(NodeRequirements.unmet(json("{}"), node)).isEmpty();
        }
    }

    @Nested
    class AnExpression {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "zone|In|\"a\", \"b\"",
                    "zone|NotIn|\"b\"",
                    "rack|NotIn|\"b\"",
                    "zone|Exists|",
                    "rack|DoesNotExist|",
                    "cores|Gt|\"63\"",
                    "cores|Lt|\"65\""
                })
        void isMet(String key, String operator, String values) {
            assertThat(unmetBy(term(key, operator, values))).isEmpty();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "zone|In|\"b\"",
                    "rack|In|\"a\"",
                    "zone|NotIn|\"a\"",
                    "rack|Exists|",
                    "zone|DoesNotExist|",
                    "cores|Gt|\"64\"",
                    "cores|Lt|\"64\"",
                    "zone|Like|\"a\""
                })
        void isNotMet(String key, String operator, String values) {
            assertThat(unmetBy(term(key, operator, values))).contains("its required node affinity is not met");
        }

        private static String term(String key, String operator, String values) {
            return "{\"matchExpressions\": [{\"key\": \"%s\", \"operator\": \"%s\", \"values\": [%s]}]}"
                    .formatted(key, operator, values == null ? "" : values);
        }

        @Test
        void isEnoughInOneOfSeveralTerms() {
            assertThat(unmetBy(term("zone", "In", "\"b\"") + "," + term("zone", "In", "\"a\"")))
                    .isEmpty();
        }

        @Test
        void canNameTheNode() {
            String field =
                    "{\"matchFields\": [{\"key\": \"metadata.name\", \"operator\": \"In\", \"values\": [\"%s\"]}]}";

            assertThat(unmetBy(field.formatted("gpu1"))).isEmpty();
            assertThat(unmetBy(field.formatted("gpu2"))).isPresent();
        }

        @Test
        void ofSpurDoesNotCount() {
            assertThat(unmetBy(term("kubernetes.io/hostname", "In", "\"host2\"")))
                    .isEmpty();
        }
    }

    @Nested
    class AJob {
        private String job(String selector) {
            String job = cluster.pytorchJob(2, true, "spur");
            cluster.change(job, object -> {
                for (String role : List.of("Master", "Worker")) {
                    object.withObject("/spec/pytorchReplicaSpecs/%s/template/spec/nodeSelector".formatted(role))
                            .put(selector, "nvme");
                }
                return object;
            });
            return job;
        }

        @Test
        void thatAllNodesOfItsPoolExcludeIsLeftOutWithTheReason() throws Exception {
            PlatformJob seen = look(job("disk"));

            assertThat(seen.unsupportedReason().orElseThrow())
                    .contains(
                            "its nodeSelector requires disk=nvme",
                            "excludes node gpu1",
                            "exclude all other nodes of pool gpu");
        }

        @Test
        void namesTheNodesOfItsPoolThatItExcludes() throws Exception {
            ObjectNode object = cluster.api().get("/api/v1/nodes/gpu2").orElseThrow();
            object.withObject("/metadata/labels").put("disk", "nvme");
            cluster.api().put("/api/v1/nodes/gpu2", object);

            PlatformJob seen = look(job("disk"));

            assertThat(seen.isOffered()).isTrue();
            assertThat(seen.nodes().excluded()).containsExactly("gpu1");
        }

        @Test
        void namesTheNodesWithTheHighestSumOfPreferredWeights() throws Exception {
            label("gpu1", Map.of("disk", "nvme", "zone", "b"));
            label("gpu2", Map.of("disk", "nvme", "zone", "a"));
            String job = cluster.pytorchJob(2, true, "spur");
            prefer(job, "[%s, %s]".formatted(preferred(10, "disk", "nvme"), preferred(1, "zone", "a")));

            assertThat(look(job).nodes().preferred()).containsExactly("gpu2");
        }

        @Test
        void prefersNoNodeWhereTheWeightsOfAllAreEqual() throws Exception {
            label("gpu1", Map.of("disk", "nvme"));
            label("gpu2", Map.of("zone", "a"));
            String job = cluster.pytorchJob(2, true, "spur");
            prefer(job, "[%s, %s]".formatted(preferred(10, "disk", "nvme"), preferred(10, "zone", "a")));

            assertThat(look(job).nodes().preferred()).isEmpty();
        }

        private void label(String node, Map<String, String> labels) throws Exception {
            ObjectNode object = cluster.api().get("/api/v1/nodes/" + node).orElseThrow();
            labels.forEach(object.withObject("/metadata/labels")::put);
            cluster.api().put("/api/v1/nodes/" + node, object);
        }

        private void prefer(String job, String terms) throws Exception {
            cluster.change(job, object -> {
                object.withObject("/spec/pytorchReplicaSpecs/Worker/template/spec/affinity/nodeAffinity")
                        .set("preferredDuringSchedulingIgnoredDuringExecution", json(terms));
                return object;
            });
        }

        private static String preferred(int weight, String label, String value) {
            return """
                    {"weight": %d, "preference": {"matchExpressions": [
                      {"key": "%s", "operator": "In", "values": ["%s"]}]}}""".formatted(weight, label, value);
        }

        @Test
        void thatAllNodesOfItsPoolAdmitIsOffered() throws Exception {
            for (String node : List.of("gpu1", "gpu2")) {
                ObjectNode object = cluster.api().get("/api/v1/nodes/" + node).orElseThrow();
                object.withObject("/metadata/labels").put("disk", "nvme");
                cluster.api().put("/api/v1/nodes/" + node, object);
            }

            assertThat(look(job("disk")).isOffered()).isTrue();
        }

        @Test
        void staysWhenANodeIsTaintedLaterAndIsNotPlacedThere() throws Exception {
            String job = cluster.pytorchJob(2, true, "spur");
            apply(Kind.HOLD, job, JobPlacement.NONE);
            cluster.change(
                    "/api/v1/nodes/gpu1",
                    Map.of("taints", List.of(Map.of("key", "dedicated", "value", "vision", "effect", "NoSchedule"))));

            assertThat(look(job).isOffered()).isTrue();
            assertThat(look(job).nodes().excluded()).containsExactly("gpu1");
            assertThat(apply(Kind.START, job, JobPlacement.of(Map.of("gpu1", 2))))
                    .isInstanceOf(StepOutcome.Rejected.class)
                    .satisfies(
                            outcome -> assertThat(outcome.detail())
                                    .contains(
                                            "does not tolerate the taint dedicated=vision:NoSchedule, which excludes node gpu1"));
            assertThat(apply(Kind.START, job, JobPlacement.of(Map.of("gpu2", 2))))
                    .isInstanceOf(StepOutcome.Accepted.class);
        }

        @Test
        void inAQueueOfKueueIsNotPlacedThereEither() throws Exception {
            cluster.controllers().kueue().install(Kueue.CONTROLLER, 16);
            String job = cluster.queuedJob(2, "spur");
            for (int step = 0; step < 4; step++) {
                cluster.controllers().step();
            }
            apply(Kind.HOLD, job, JobPlacement.NONE);
            cluster.change(
                    "/api/v1/nodes/gpu1",
                    Map.of("taints", List.of(Map.of("key", "dedicated", "value", "vision", "effect", "NoSchedule"))));

            assertThat(apply(Kind.START, job, JobPlacement.of(Map.of("gpu1", 2))))
                    .isInstanceOf(StepOutcome.Rejected.class);
        }
    }

    @Test
    void aNodeWithoutLabelsMeetsAJobWithoutRequirements() {
        assertThat(NodeRequirements.unmet(
                        json("{}"), JsonMapper.shared().valueToTree(KubernetesObjects.node("n", "gpu", "h200", 8))))
                .isEmpty();
    }
}
