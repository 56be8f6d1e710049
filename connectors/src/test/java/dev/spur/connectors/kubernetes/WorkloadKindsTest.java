package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.testing.KubernetesObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Each kind of job as its owner writes it: how large it is, and what becomes of it when it is placed. */
class WorkloadKindsTest {
    private static final ObjectMapper MAPPER = JsonMapper.shared();
    private static final String SELECTOR = "/template/spec/template/spec/nodeSelector";
    private static final JobPlacement ONE = JobPlacement.of(Map.of("gpu1", 8));
    private static final JobPlacement HALVES = JobPlacement.of(Map.of("gpu1", 4, "gpu2", 4));
    private static final JobPlacement TWO = JobPlacement.of(Map.of("gpu1", 8, "gpu2", 8));

    private final NodeHostnames hosts = new NodeHostnames(
            IntStream.rangeClosed(1, 2)
                    .mapToObj(n -> inZone(tree(KubernetesObjects.node("gpu" + n, "gpu", "h200", 8))))
                    .toList(),
            new KubernetesNodeReader(MockApiServerFixture.settings("spur.dev/pool")));
    private final WorkloadReader reader = new WorkloadReader(MockApiServerFixture.settings("spur.dev/pool"), hosts);

    private static JsonNode inZone(JsonNode node) {
        ((ObjectNode) node).withObject("/metadata/labels").put("zone", "a");
        return node;
    }

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
        return new Workload(WorkloadKinds.find(kind).orElseThrow(), object);
    }

    private PlatformJob read(Workload job) {
        return reader.read(job, List.of());
    }

    private Workload fitted(Workload job, JobPlacement there) throws KubernetesRejection {
        PlacementApplier fitting = new PlacementApplier(job, hosts);
        fitting.check(there);
        ObjectNode fitted = fitting.apply(there);
        return new Workload(job.kind(), fitted, job.kind().made().isEmpty() ? fitted : job.body(), job.admission());
    }

    private void fits(Workload job, JobPlacement there) throws KubernetesRejection {
        PlatformJob now = read(fitted(job, there));
        assertThat(now.pinned()).isEqualTo(there);
        assertThat(now.requested().slots()).isEqualTo(there.total());
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
            assertThat(seen.requested().slots()).isEqualTo(8);
            assertThat(seen.unit()).isEqualTo(2);
            assertThat(seen.isOffered()).isTrue();
            assertThat(seen.pool()).isEqualTo("gpu");
        }

        @Test
        void hasTheHostDemandOfItsPodsForEachGpu() {
            ObjectNode object = job.object().deepCopy();
            ObjectNode container = (ObjectNode) object.at("/spec/tfReplicaSpecs/Worker/template/spec/containers/0");
            container.withObject("/resources/requests").put("cpu", "6500m");
            container.withObject("/resources/limits").put("cpu", "8").put("memory", "64Gi");

            PlatformJob seen = read(new Workload(job.kind(), object));

            assertThat(seen.annotation().number("cpus")).isEqualTo(3.25);
            assertThat(seen.annotation().number("memory")).isEqualTo(32);
            assertThat(read(job).annotation().has("cpus")).isFalse();
        }

        private PlatformJob near(String policy, String label, String words) {
            Workload stated = job("tfjob", words, job.object().path("spec").toString());
            stated.object()
                    .withObject("/spec/tfReplicaSpecs/Worker/template/metadata/annotations")
                    .put("kueue.x-k8s.io/podset-%s-topology".formatted(policy), label);
            return read(stated);
        }

        @Test
        void hasTheTopologyOfTheAnnotationsOfKueue() {
            assertThat(near("required", "topology.kubernetes.io/rack", "spur")
                            .annotation()
                            .value("within"))
                    .contains("rack");
            assertThat(near("preferred", "topology.kubernetes.io/block", "spur")
                            .annotation()
                            .value("prefer-within"))
                    .contains("block");
            JobAnnotation own = near("required", "topology.kubernetes.io/rack", "spur prefer-within=rack")
                    .annotation();
            assertThat(own.has("within")).isFalse();
            assertThat(near("required", "example.com/row", "spur")
                            .unsupportedReason()
                            .orElseThrow())
                    .contains(
                            "kueue.x-k8s.io/podset-required-topology",
                            "example.com/row",
                            "topology.kubernetes.io/rack");
            assertThat(near("preferred", "example.com/row", "spur").isOffered()).isFalse();
        }

        @Test
        void getsOtherNumbersOfWorkersAndKeepsItsParameterServersWhereTheyMayBe() throws KubernetesRejection {
            fits(job, TWO);
            fits(job, HALVES);
            ObjectNode now = fitted(job, TWO).object();

            assertThat(now.at("/spec/tfReplicaSpecs/Worker/replicas").asInt()).isEqualTo(8);
            assertThat(now.at("/spec/tfReplicaSpecs/PS")).isEqualTo(job.object().at("/spec/tfReplicaSpecs/PS"));
        }

        @Test
        void cannotHaveHalfAPodOrUnevenNodes() {
            assertThatThrownBy(() -> fitted(job, JobPlacement.of(Map.of("gpu1", 3))))
                    .isInstanceOf(KubernetesRejection.class);
            assertThatThrownBy(() -> fitted(job, JobPlacement.of(Map.of("gpu1", 6, "gpu2", 2))))
                    .isInstanceOf(KubernetesRejection.class);
        }
    }

    @Nested
    class AJobOfRay {
        private static final String CLUSTER = """
                {"headGroupSpec": {"template": $0},
                 "workerGroupSpecs": [{"groupName": "gpu", "replicas": 4, "minReplicas": 0, "template": $1}]}""";

        @Test
        void hasWorkersInAGroup() throws KubernetesRejection {
            Workload job =
                    job("rayjob", "spur gpus=1-16", "{\"suspend\": true, \"rayClusterSpec\": %s}".formatted(CLUSTER));

            assertThat(read(job).requested().slots()).isEqualTo(4);
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

            assertThat(read(job("raycluster", "spur", spec)).unsupportedReason().orElseThrow())
                    .contains("enableInTreeAutoscaling");
        }
    }

    @Nested
    class AJobSet {
        private Workload job(String words, int replicas) {
            return WorkloadKindsTest.job("jobset", words, """
                    {"suspend": true, "replicatedJobs": [{"name": "workers", "replicas": %d,
                      "template": {"spec": {"parallelism": 2, "completions": 2, "template": $2}}}]}""".formatted(replicas));
        }

        @Test
        void goesToOneNodeAsLargeAsItIs() throws KubernetesRejection {
            fits(job("spur", 2), ONE);
            assertThatThrownBy(() -> fitted(job("spur", 2), HALVES)).isInstanceOf(KubernetesRejection.class);
            assertThatThrownBy(() -> fitted(job("spur", 2), JobPlacement.of(Map.of("gpu1", 4))))
                    .isInstanceOf(KubernetesRejection.class);
        }

        @Test
        void ofOneGroupThatIsTooLargeForANodeOrWantsToChangeIsLeftOut() {
            assertThat(read(job("spur", 4)).unsupportedReason().orElseThrow()).contains("must be on a single node");
            assertThat(read(job("spur gpus=4-8", 2)).unsupportedReason().orElseThrow())
                    .contains("gpus must be 8");
            assertThat(read(job("spur", 2)).unsupportedReason()).isEmpty();
        }

        @Test
        void ofSeveralGroupsHasOneOnEachNode() throws KubernetesRejection {
            Workload two = WorkloadKindsTest.job("jobset", "spur", """
                    {"suspend": true, "replicatedJobs": [
                      {"name": "first", "replicas": 1, "template": {"spec": {"parallelism": 4, "template": $2}}},
                      {"name": "data", "replicas": 3, "template": {"spec": {"parallelism": 1, "template": $0}}},
                      {"name": "rest", "replicas": 4, "template": {"spec": {"parallelism": 1, "template": $2}}}]}""");

            assertThat(read(two).unsupportedReason()).isEmpty();
            fits(two, TWO);
            assertThat(fitted(two, TWO)
                            .object()
                            .at("/spec/replicatedJobs/0" + SELECTOR)
                            .properties())
                    .isNotEqualTo(fitted(two, TWO)
                            .object()
                            .at("/spec/replicatedJobs/2" + SELECTOR)
                            .properties());
            assertThat(fitted(two, TWO).object().at("/spec/replicatedJobs/1"))
                    .isEqualTo(two.object().at("/spec/replicatedJobs/1"));
            assertThatThrownBy(() -> fitted(two, JobPlacement.of(Map.of("gpu1", 10, "gpu2", 6))))
                    .isInstanceOf(KubernetesRejection.class);
        }
    }

    @Nested
    class ATrainJob {
        private Workload job(String words, String more) {
            Workload made = WorkloadKindsTest.job("jobset", "", """
                    {"suspend": true, "replicatedJobs": [
                      {"name": "initializer", "replicas": 1, "template": {"spec": {"template": $0}}},
                      {"name": "node", "replicas": 1, "template": {"spec": {"parallelism": 2, "template": $4}}}]}""");
            Workload job = WorkloadKindsTest.job("trainjob", words, """
                    {"suspend": true, %s "managedBy": "trainer.kubeflow.org/trainjob-controller"}""".formatted(more));
            made.object()
                    .withArray("/metadata/ownerReferences")
                    .addObject()
                    .put("uid", job.uid())
                    .put("controller", true);
            return job.withControllerObject(Optional.of(made.object()));
        }

        @Test
        void isAsLargeAsTheJobSetThatIsMadeForIt() {
            PlatformJob seen = read(job("spur", ""));

            assertThat(seen.state()).isEqualTo(State.HELD);
            assertThat(seen.requested().slots()).isEqualTo(8);
            assertThat(seen.isOffered()).isTrue();
        }

        @Test
        void isTiedByAPatchBesideThoseOfOthers() throws KubernetesRejection {
            Workload job = job("spur", "\"runtimePatches\": [{\"manager\": \"other\"}],");

            Workload tied = fitted(job, ONE);

            fits(job, ONE);
            fits(tied, JobPlacement.of(Map.of("gpu2", 8)));
            assertThat(tied.object().at("/spec/runtimePatches")).hasSize(2);
            assertThat(tied.object().at("/spec/runtimePatches/0"))
                    .isEqualTo(job.object().at("/spec/runtimePatches/0"));
            assertThatThrownBy(() -> fitted(job, HALVES)).isInstanceOf(KubernetesRejection.class);
        }

        @Test
        void thatWantsToChangeOrHasNoJobSetYetIsLeftOut() {
            Workload fresh = job("spur", "").withControllerObject(Optional.empty());

            assertThat(read(job("spur gpus=4-8", "")).unsupportedReason().orElseThrow())
                    .contains("gpus must be 8");
            assertThat(read(fresh).unsupportedReason().orElseThrow()).contains("not created its jobset yet");
        }

        @Test
        void withAJobSetOfAnotherOwnerHasNone() {
            Workload job = job("spur", "");
            ObjectNode other = job.body().deepCopy();
            other.withObject("/metadata").remove("ownerReferences");

            assertThat(read(job.withControllerObject(Optional.of(other)))
                            .unsupportedReason()
                            .orElseThrow())
                    .contains("not created its jobset yet");
        }

        @Test
        void reportsItsProgress() {
            Workload job = job("spur", "");
            assertThat(read(job).progress()).isEmpty();

            job.object().withObject("/status/trainerStatus").put("progressPercentage", 45);

            assertThat(read(job).progress()).contains(0.45);
        }
    }

    @Nested
    class AVolcanoJob {
        private Workload job(String words, String workers) {
            return WorkloadKindsTest.job("vcjob", words, """
                    {"minAvailable": 5, "tasks": [
                      {"name": "ps", "replicas": 1, "template": $0},
                      {"name": "worker", "replicas": 4, "minAvailable": 4, "template": %s}]}""".formatted(workers));
        }

        private String gated() {
            ObjectNode template = (ObjectNode) tree(KubernetesObjects.template("a", 2, false));
            template.withObject("/spec").putArray("schedulingGates").addObject().put("name", Pod.GATE);
            return template.toString();
        }

        @Test
        void changesNothingButCounts() throws KubernetesRejection {
            Workload job = job("spur gpus=2-16", gated());
            ObjectNode more = fitted(job, TWO).object();
            ObjectNode less = fitted(job, JobPlacement.of(Map.of("gpu1", 2))).object();

            assertThat(more.at("/spec/tasks/1/replicas").asInt()).isEqualTo(8);
            assertThat(more.at("/spec/tasks/1/minAvailable").asInt()).isEqualTo(8);
            assertThat(more.at("/spec/minAvailable").asInt()).isEqualTo(9);
            assertThat(less.at("/spec/tasks/1/minAvailable").asInt()).isEqualTo(1);
            assertThat(less.at("/spec/minAvailable").asInt()).isEqualTo(2);
            assertThat(more.at("/spec/tasks/1/template")).isEqualTo(job.object().at("/spec/tasks/1/template"));
            assertThat(more.at("/spec/tasks/0")).isEqualTo(job.object().at("/spec/tasks/0"));
        }

        @Test
        void canStartWithFewerPodsAndKeepsToThat() throws KubernetesRejection {
            Workload job = job("spur gpus=2-16", gated());
            job.object().withObject("/spec").put("minAvailable", 3);

            assertThat(fitted(job, TWO).object().at("/spec/minAvailable").asInt())
                    .isEqualTo(3);
            assertThat(fitted(job, JobPlacement.of(Map.of("gpu1", 2)))
                            .object()
                            .at("/spec/minAvailable")
                            .asInt())
                    .isEqualTo(2);
        }

        @Test
        void withoutTheGateIsLeftOut() {
            assertThat(read(job("spur", gated())).unsupportedReason()).isEmpty();
            assertThat(read(job(
                                    "spur",
                                    tree(KubernetesObjects.template("a", 2, false))
                                            .toString()))
                            .unsupportedReason()
                            .orElseThrow())
                    .contains(Pod.GATE);
        }
    }

    @Nested
    class ABatchJob {
        private Workload job(String words, String more, int gpus) {
            return WorkloadKindsTest.job("job", words, """
                    {"suspend": true, "parallelism": 4, %s "template": $%d}""".formatted(more, gpus));
        }

        @Test
        void changesItsCompletionsWithItsPods() throws KubernetesRejection {
            Workload job = job("spur gpus=1-8", "\"completions\": 4, \"completionMode\": \"Indexed\",", 1);

            fits(job, ONE);
            assertThat(fitted(job, ONE).object().at("/spec/completions").asInt())
                    .isEqualTo(8);
        }

        @Test
        void whosePodsNothingSpreadsFillsWholeNodesOnly() throws KubernetesRejection {
            Workload job = job("spur gpus=1-16", "", 1);

            fits(job, TWO);
            assertThatThrownBy(() -> fitted(job, HALVES)).isInstanceOf(KubernetesRejection.class);
            fits(job("spur", "", 4), TWO);
        }

        @Test
        void whoseNumberIsFixedIsLeftOutIfItWantsToChange() {
            assertThat(read(job("spur gpus=1-8", "\"completions\": 4,", 1)).unsupportedReason())
                    .isPresent();
            assertThat(read(job("spur", "\"completions\": 4,", 1)).unsupportedReason())
                    .isEmpty();
            assertThat(read(job("spur", "\"completions\": 40,", 1)).unsupportedReason())
                    .isPresent();
        }

        @Test
        void thatAsksForNodesByNameIsLeftOut() throws KubernetesRejection {
            assertThat(read(fitted(job("spur", "", 1), JobPlacement.of(Map.of("gpu1", 4))))
                            .unsupportedReason()
                            .orElseThrow())
                    .contains("nodes by name");
        }

        @Test
        void inAQueueOfKueueIsLeftToKueue() {
            Workload job = job("spur", "", 1);
            job.object().withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "team");

            assertThat(read(job).unsupportedReason().orElseThrow()).contains("Kueue");
        }
    }

    @Test
    void affinityOfTheOwnerStays() throws KubernetesRejection {
        Workload job = job("pytorchjob", "spur", """
                {"runPolicy": {"suspend": true}, "pytorchReplicaSpecs": {"Master": {"template": $8}}}""");
        ObjectNode spec = (ObjectNode) job.object().at("/spec/pytorchReplicaSpecs/Master/template/spec");
        spec.set("affinity", MAPPER.readTree("""
                {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                  {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}}}"""));

        String now = fitted(job, ONE).object().toString();

        assertThat(now).contains("\"zone\"").contains("\"kubernetes.io/hostname\"");
        assertThat(read(fitted(fitted(job, ONE), JobPlacement.of(Map.of("gpu2", 8))))
                        .pinned())
                .isEqualTo(JobPlacement.of(Map.of("gpu2", 8)));
    }

    @Test
    void podsWithAShareOfAGpuAreLeftOut() {
        Workload job = job("job", "spur", """
                {"suspend": true, "template": {"metadata": {"annotations": {"gpu-fraction": "0.5"}}, "spec": {"containers": []}}}""");

        assertThat(read(job).unsupportedReason().orElseThrow()).contains("gpu-fraction", "whole GPUs");
    }

    @Test
    void podsOfDifferentSizesAreLeftOut() {
        Workload job = job("pytorchjob", "spur", """
                {"runPolicy": {"suspend": true}, "pytorchReplicaSpecs": {
                  "Master": {"replicas": 1, "template": $1}, "Worker": {"replicas": 2, "template": $4}}}""");

        assertThat(read(job).unsupportedReason().orElseThrow()).contains("the same number of GPUs");
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
