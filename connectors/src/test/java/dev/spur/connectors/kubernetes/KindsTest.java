package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.testing.KubernetesObjects;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Each kind of job as its owner writes it: how large it is, and what becomes of it when it is placed. */
class KindsTest {
    private static final ObjectMapper MAPPER = JsonMapper.shared();
    private static final Placement ONE = Placement.of(Map.of("gpu1", 8));
    private static final Placement HALVES = Placement.of(Map.of("gpu1", 4, "gpu2", 4));
    private static final Placement TWO = Placement.of(Map.of("gpu1", 8, "gpu2", 8));

    private final Hosts hosts = new Hosts(
            IntStream.rangeClosed(1, 2)
                    .mapToObj(n -> tree(KubernetesObjects.node("gpu" + n, "gpu", "h200", 8)))
                    .toList(),
            new NodeReader("spur.dev/pool"));
    private final WorkloadReader reader = new WorkloadReader("spur.dev/pool", hosts);

    private static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** A job of a kind with this specification, in which {@code $N} stands for a template of pods with N GPUs. */
    private static Workload job(String kind, String words, String spec) {
        String filled = spec;
        for (int gpus : List.of(0, 1, 2, 4, 8)) {
            filled = filled.replace(
                    "$" + gpus,
                    tree(KubernetesObjects.template("a", gpus, false)).toString());
        }
        ObjectNode object = MAPPER.createObjectNode();
        object.set("metadata", tree(KubernetesObjects.metadata("a", words)));
        object.withObject("/metadata").put("uid", "00000000-0000-0000-0000-0000000000aa");
        object.set("spec", MAPPER.readTree(filled));
        return new Workload(Kinds.find(kind).orElseThrow(), object);
    }

    private PlatformJob read(Workload job) {
        return reader.read(job, List.of());
    }

    private Workload fitted(Workload job, Placement there) throws Refusal {
        Fitting fitting = new Fitting(job, hosts);
        fitting.check(there);
        return new Workload(job.kind(), fitting.fitted(there));
    }

    private void fits(Workload job, Placement there) throws Refusal {
        PlatformJob now = read(fitted(job, there));
        assertThat(now.pinned()).isEqualTo(there);
        assertThat(now.asked().slots()).isEqualTo(there.total());
    }

    @Nested
    class ATFJob {
        private final Workload job = job("tfjob", "spur gpus=2-16", """
                {"runPolicy": {"suspend": true}, "tfReplicaSpecs": {
                  "PS": {"replicas": 2, "template": $0}, "Worker": {"replicas": 4, "template": $2}}}""");

        @Test
        void isAsLargeAsItsWorkers() {
            PlatformJob seen = read(job);

            assertThat(seen.state()).isEqualTo(State.HELD);
            assertThat(seen.asked().slots()).isEqualTo(8);
            assertThat(seen.unit()).isEqualTo(2);
            assertThat(seen.isOffered()).isTrue();
            assertThat(seen.pool()).isEqualTo("gpu");
        }

        @Test
        void getsOtherNumbersOfWorkersAndKeepsItsParameterServersWhereTheyMayBe() throws Refusal {
            fits(job, TWO);
            fits(job, HALVES);
            ObjectNode now = fitted(job, TWO).object();

            assertThat(now.at("/spec/tfReplicaSpecs/Worker/replicas").asInt()).isEqualTo(8);
            assertThat(now.at("/spec/tfReplicaSpecs/PS")).isEqualTo(job.object().at("/spec/tfReplicaSpecs/PS"));
        }

        @Test
        void cannotHaveHalfAPodOrUnevenNodes() {
            assertThatThrownBy(() -> fitted(job, Placement.of(Map.of("gpu1", 3))))
                    .isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> fitted(job, Placement.of(Map.of("gpu1", 6, "gpu2", 2))))
                    .isInstanceOf(Refusal.class);
        }
    }

    @Nested
    class AJobOfRay {
        private static final String CLUSTER = """
                {"headGroupSpec": {"template": $0},
                 "workerGroupSpecs": [{"groupName": "gpu", "replicas": 4, "minReplicas": 0, "template": $1}]}""";

        @Test
        void hasWorkersInAGroup() throws Refusal {
            Workload job =
                    job("rayjob", "spur gpus=1-16", "{\"suspend\": true, \"rayClusterSpec\": %s}".formatted(CLUSTER));

            assertThat(read(job).asked().slots()).isEqualTo(4);
            fits(job, TWO);
            assertThat(fitted(job, ONE)
                            .object()
                            .at("/spec/rayClusterSpec/workerGroupSpecs/0/replicas")
                            .asInt())
                    .isEqualTo(8);
        }

        @Test
        void whoseAutoscalerDecidesIsLeftAlone() {
            String spec = CLUSTER.replaceFirst("\\{", "{\"suspend\": true, \"enableInTreeAutoscaling\": true, ");

            assertThat(read(job("raycluster", "spur", spec)).unfit().orElseThrow())
                    .contains("enableInTreeAutoscaling");
        }
    }

    @Nested
    class AJobSet {
        private Workload job(String words, int replicas) {
            return KindsTest.job("jobset", words, """
                    {"suspend": true, "replicatedJobs": [{"name": "workers", "replicas": %d,
                      "template": {"spec": {"parallelism": 2, "completions": 2, "template": $2}}}]}""".formatted(replicas));
        }

        @Test
        void goesToOneNodeAsLargeAsItIs() throws Refusal {
            fits(job("spur", 2), ONE);
            assertThatThrownBy(() -> fitted(job("spur", 2), HALVES)).isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> fitted(job("spur", 2), Placement.of(Map.of("gpu1", 4))))
                    .isInstanceOf(Refusal.class);
        }

        @Test
        void thatIsTooLargeForOneOrWantsToChangeIsLeftOut() {
            assertThat(read(job("spur", 4)).unfit().orElseThrow()).contains("one node only");
            assertThat(read(job("spur gpus=4-8", 2)).unfit().orElseThrow()).contains("gpus must be 8");
            assertThat(read(job("spur", 2)).unfit()).isEmpty();
        }
    }

    @Nested
    class ABatchJob {
        private Workload job(String words, String more, int gpus) {
            return KindsTest.job("job", words, """
                    {"suspend": true, "parallelism": 4, %s "template": $%d}""".formatted(more, gpus));
        }

        @Test
        void changesItsCompletionsWithItsPods() throws Refusal {
            Workload job = job("spur gpus=1-8", "\"completions\": 4, \"completionMode\": \"Indexed\",", 1);

            fits(job, ONE);
            assertThat(fitted(job, ONE).object().at("/spec/completions").asInt())
                    .isEqualTo(8);
        }

        @Test
        void whosePodsNothingSpreadsFillsWholeNodesOnly() throws Refusal {
            Workload job = job("spur gpus=1-16", "", 1);

            fits(job, TWO);
            assertThatThrownBy(() -> fitted(job, HALVES)).isInstanceOf(Refusal.class);
            fits(job("spur", "", 4), TWO);
        }

        @Test
        void whoseNumberIsFixedIsLeftOutIfItWantsToChange() {
            assertThat(read(job("spur gpus=1-8", "\"completions\": 4,", 1)).unfit())
                    .isPresent();
            assertThat(read(job("spur", "\"completions\": 4,", 1)).unfit()).isEmpty();
            assertThat(read(job("spur", "\"completions\": 40,", 1)).unfit()).isPresent();
        }

        @Test
        void thatAsksForNodesByNameIsLeftOut() throws Refusal {
            assertThat(read(fitted(job("spur", "", 1), Placement.of(Map.of("gpu1", 4))))
                            .unfit()
                            .orElseThrow())
                    .contains("nodes by name");
        }

        @Test
        void inAQueueOfKueueIsLeftToKueue() {
            Workload job = job("spur", "", 1);
            job.object().withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "team");

            assertThat(read(job).unfit().orElseThrow()).contains("Kueue");
        }
    }

    @Test
    void affinityOfTheOwnerStays() throws Refusal {
        Workload job = job("pytorchjob", "spur", """
                {"runPolicy": {"suspend": true}, "pytorchReplicaSpecs": {"Master": {"template": $8}}}""");
        ObjectNode spec = (ObjectNode) job.object().at("/spec/pytorchReplicaSpecs/Master/template/spec");
        spec.set("affinity", MAPPER.readTree("""
                {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                  {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}}}"""));

        String now = fitted(job, ONE).object().toString();

        assertThat(now).contains("\"zone\"").contains("\"kubernetes.io/hostname\"");
        assertThat(read(fitted(fitted(job, ONE), Placement.of(Map.of("gpu2", 8))))
                        .pinned())
                .isEqualTo(Placement.of(Map.of("gpu2", 8)));
    }

    @Test
    void jobsThatCannotBePlacedAreLookedAtOnly() {
        Workload volcano = job("vcjob", "spur", "{\"tasks\": [{\"replicas\": 2, \"template\": $4}]}");

        assertThat(read(volcano).unfit().orElseThrow()).contains("vcjob");
        assertThat(read(volcano).asked().slots()).isEqualTo(8);
        assertThat(read(job("trainjob", "spur", "{\"suspend\": true}")).isOffered())
                .isFalse();
    }

    @Test
    void podsOfDifferentSizesAreLeftOut() {
        Workload job = job("pytorchjob", "spur", """
                {"runPolicy": {"suspend": true}, "pytorchReplicaSpecs": {
                  "Master": {"replicas": 1, "template": $1}, "Worker": {"replicas": 2, "template": $4}}}""");

        assertThat(read(job).unfit().orElseThrow()).contains("different numbers");
    }

    @Test
    void whatItsStatusSaysIsItsEnd() {
        for (Map.Entry<String, State> end :
                Map.of("Complete", State.DONE, "Failed", State.FAILED).entrySet()) {
            Workload job = job("job", "spur", "{\"parallelism\": 1, \"template\": $1}");
            job.object()
                    .withArray("/status/conditions")
                    .addObject()
                    .put("type", end.getKey())
                    .put("status", "True");

            assertThat(read(job).state()).isEqualTo(end.getValue());
        }
    }
}
