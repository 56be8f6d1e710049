package dev.spur.connectors.kubernetes;

import dev.spur.connectors.kubernetes.WorkloadKind.Group;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The supported kinds of jobs. The permitted changes follow from the API servers and webhooks of each kind.
 *
 * <p>Batch Job: node affinity while it is suspended and was not started (pkg/registry/batch/job/strategy.go of
 * Kubernetes 1.34). JobSet: node selectors while it is suspended (pkg/webhooks/jobset_webhook.go). TrainJob: runtime
 * patches while it is suspended (pkg/runtime/framework/plugins/jobset of Kubeflow Trainer). Volcano Job: only counts
 * (pkg/webhooks/admission/jobs/validate of Volcano).
 */
final class WorkloadKinds {
    private static final Set<String> DONE = Set.of("Succeeded");
    private static final Set<String> FAILED = Set.of("Failed");
    private static final List<Group> REPLICATED_JOBS = List.of(new Group(
            "/spec/replicatedJobs/*",
            List.of("/replicas", "/template/spec/parallelism"),
            "/template/spec/template",
            ""));

    static final List<WorkloadKind> ALL = List.of(
            new WorkloadKind(
                    "job",
                    "/apis/batch/v1",
                    "jobs",
                    "/spec/suspend",
                    List.of(new Group("/spec", List.of("/parallelism"), "/template", "*")),
                    List.of("/spec/completions"),
                    Set.of("Complete"),
                    FAILED,
                    "/spec/activeDeadlineSeconds",
                    Pins.AFFINITY,
                    true,
                    true,
                    List.of("/spec/managedBy"),
                    "",
                    ""),
            kubeflow("pytorchjob", "pytorchjobs", "/spec/pytorchReplicaSpecs/*", "/spec/elasticPolicy/metrics"),
            kubeflow("tfjob", "tfjobs", "/spec/tfReplicaSpecs/*", "/spec/elasticPolicy/metrics"),
            ray("raycluster", "rayclusters", "/spec", Set.of(), Set.of()),
            ray(
                    "rayjob",
                    "rayjobs",
                    "/spec/rayClusterSpec",
                    Set.of("Complete", "SUCCEEDED"),
                    Set.of("Failed", "FAILED", "STOPPED")),
            new WorkloadKind(
                    "jobset",
                    "/apis/jobset.x-k8s.io/v1alpha2",
                    "jobsets",
                    "/spec/suspend",
                    REPLICATED_JOBS,
                    List.of(),
                    Set.of("Completed"),
                    FAILED,
                    "",
                    Pins.SELECTOR,
                    false,
                    false,
                    List.of("/spec/managedBy"),
                    "",
                    ""),
            new WorkloadKind(
                    "vcjob",
                    "/apis/batch.volcano.sh/v1alpha1",
                    "jobs",
                    "",
                    List.of(new Group("/spec/tasks/*", List.of("/replicas"), "/template", "*")),
                    List.of(),
                    Set.of("Completed"),
                    Set.of("Failed", "Terminated"),
                    "",
                    Pins.PODS,
                    true,
                    false,
                    List.of(),
                    "",
                    ""),
            new WorkloadKind(
                    "trainjob",
                    "/apis/trainer.kubeflow.org/v1alpha1",
                    "trainjobs",
                    "/spec/suspend",
                    REPLICATED_JOBS,
                    List.of(),
                    Set.of("Complete"),
                    FAILED,
                    "/spec/activeDeadlineSeconds",
                    Pins.PATCH,
                    false,
                    false,
                    List.of("/spec/managedBy"),
                    "jobset",
                    "/status/trainerStatus/progressPercentage"));

    private WorkloadKinds() {}

    private static WorkloadKind kubeflow(String id, String plural, String groups, String autoscaler) {
        return new WorkloadKind(
                id,
                "/apis/kubeflow.org/v1",
                plural,
                "/spec/runPolicy/suspend",
                List.of(new Group(groups, List.of("/replicas"), "/template", "Worker")),
                List.of(),
                DONE,
                FAILED,
                "/spec/runPolicy/activeDeadlineSeconds",
                Pins.SPREAD,
                true,
                false,
                List.of(autoscaler, "/spec/runPolicy/managedBy"),
                "",
                "");
    }

    private static WorkloadKind ray(String id, String plural, String cluster, Set<String> done, Set<String> failed) {
        return new WorkloadKind(
                id,
                "/apis/ray.io/v1",
                plural,
                "/spec/suspend",
                List.of(
                        new Group(cluster + "/headGroupSpec", List.of(), "/template", ""),
                        new Group(
                                cluster + "/workerGroupSpecs/*",
                                List.of("/replicas", "/numOfHosts"),
                                "/template",
                                "*")),
                List.of(),
                done,
                failed,
                "/spec/activeDeadlineSeconds",
                Pins.SPREAD,
                true,
                false,
                List.of(cluster + "/enableInTreeAutoscaling", "/spec/managedBy"),
                "",
                "");
    }

    /**
     * Returns true if the controller of an object is a job of these kinds, so that the object is a part of that job.
     */
    static boolean isPart(JsonNode object) {
        return object.at("/metadata/ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean(false))
                .anyMatch(owner -> ALL.stream().anyMatch(kind -> kind.isOf(owner)));
    }

    static Optional<WorkloadKind> find(String id) {
        return ALL.stream().filter(kind -> kind.id().equals(id)).findFirst();
    }
}
