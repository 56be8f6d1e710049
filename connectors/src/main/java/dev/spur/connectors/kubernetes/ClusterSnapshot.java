package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * All nodes, jobs and pods of a cluster. Objects that a job's controller creates in order to create pods, such as the
 * Jobs of a JobSet, are parts of the job.
 */
final class ClusterSnapshot {
    static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/pods";

    private final List<ObjectNode> nodes;
    private final Map<String, Workload> workloads;
    private final List<Pod> pods;
    private final KubernetesNodeReader nodeReader;
    private final WorkloadReader reader;

    private ClusterSnapshot(
            KubernetesSettings settings,
            List<ObjectNode> nodes,
            Map<String, Workload> workloads,
            List<Pod> pods,
            boolean mutableInJobs) {
        this.nodeReader = new KubernetesNodeReader(settings);
        this.nodes =
                nodes.stream().filter(node -> nodeReader.pool(node).isPresent()).toList();
        this.workloads = workloads;
        this.pods = pods;
        this.reader = new WorkloadReader(settings, new NodeHostnames(this.nodes, nodeReader), mutableInJobs);
    }

    /**
     * Reads the cluster. Pods are read first, so that a pod missing from the snapshot can only make its job appear to
     * wait.
     *
     * @param settings settings of the connector
     */
    static ClusterSnapshot read(ApiServerClient calls, KubernetesSettings settings)
            throws IOException, InterruptedException {
        List<Pod> pods = calls.list(PODS).stream().map(Pod::read).toList();
        Map<String, Workload> workloads = new HashMap<>();
        for (WorkloadKind kind : WorkloadKinds.ALL) {
            for (var object : calls.list(kind.collection())) {
                Workload workload = new Workload(kind, object);
                workloads.put(workload.uid(), workload);
            }
        }
        removeOrphans(workloads);
        bodies(workloads);
        boolean isQueued = workloads.values().stream()
                .anyMatch(job -> job.isQueued() && job.jobAnnotation().offered());
        if (isQueued) {
            Kueue kueue = Kueue.read(calls);
            workloads.replaceAll((uid, job) -> kueue.with(job));
        }
        boolean mutableInJobs =
                workloads.values().stream().anyMatch(job -> job.jobAnnotation().has(JobAnnotation.HOST_LEVELS))
                        && PodResources.areMutableInJobs(calls);
        return new ClusterSnapshot(settings, calls.list(NODES), workloads, pods, mutableInJobs);
    }

    /**
     * Removes the parts of jobs that are not listed. Such a part may have the annotations of its job, because some
     * controllers copy them.
     */
    private static void removeOrphans(Map<String, Workload> workloads) {
        boolean changed = true;
        while (changed) {
            changed = workloads
                    .values()
                    .removeIf(job ->
                            WorkloadKinds.isPart(job.object()) && !workloads.containsKey(Pod.ownerOf(job.object())));
        }
    }

    /** Adds the objects created by controllers to the jobs whose pod sets they contain. */
    private static void bodies(Map<String, Workload> workloads) {
        Map<String, ObjectNode> made = new HashMap<>();
        workloads
                .values()
                .forEach(one ->
                        made.put(Pod.ownerOf(one.object()) + "/" + one.kind().id(), one.object()));
        workloads.replaceAll((uid, job) -> job.kind().made().isEmpty()
                ? job
                : job.withControllerObject(
                        Optional.ofNullable(made.get(uid + "/" + job.kind().made()))));
    }

    /** Returns the nodes of all pools. {@code lostAfter} is the silence after which a node is lost. */
    List<PlatformNode> nodes(Duration lostAfter, Instant now) {
        SilentNodes silent = new SilentNodes(nodes, lostAfter, now);
        List<PlatformJob> planned = jobs().stream()
                .filter(job -> job.isOffered()
                        && job.mark().filter(LastAppliedState::runs).isPresent())
                .toList();
        Set<String> ids = planned.stream().map(PlatformJob::id).collect(Collectors.toSet());
        Predicate<Pod> isPlanned = pod -> pod.gpus() > 0
                && Optional.ofNullable(workloads.get(top(pod.owner())))
                        .filter(job -> ids.contains(job.id()))
                        .isPresent();
        List<PlatformNode> read = new ArrayList<>();
        for (ObjectNode node : nodes) {
            String name = node.at("/metadata/name").asString();
            NodeUsage usage = NodeUsage.of(name, pods, isPlanned, planned);
            nodeReader
                    .read(node, usage, silent.condition(name))
                    .map(one -> silent.note(name, pods).map(one::withNote).orElse(one))
                    .ifPresent(read::add);
        }
        return read;
    }

    /** Returns all jobs, and the pods with GPUs that belong to no job. */
    List<PlatformJob> jobs() {
        Map<String, List<Pod>> byJob = pods.stream().collect(Collectors.groupingBy(pod -> top(pod.owner())));
        List<PlatformJob> jobs = new ArrayList<>();
        workloads.values().stream()
                .filter(workload -> top(workload.uid()).equals(workload.uid()))
                .forEach(workload -> jobs.add(reader.read(workload, byJob.getOrDefault(workload.uid(), List.of()))));
        pods.stream()
                .filter(pod -> pod.holds() && !workloads.containsKey(top(pod.owner())))
                .forEach(pod -> jobs.add(reader.read(pod)));
        return jobs;
    }

    /** Returns the pods that a job waits for because their nodes are silent, with the remedy. */
    Optional<String> stuckPods(String job, Instant now) {
        return new SilentNodes(nodes, Duration.ZERO, now).remedy(podsOf(job));
    }

    /** Returns the pods of a job. */
    List<Pod> podsOf(String job) {
        return pods.stream()
                .filter(pod -> Optional.ofNullable(workloads.get(top(pod.owner())))
                        .filter(one -> one.id().equals(job))
                        .isPresent())
                .toList();
    }

    /** Returns the objects of a job: the job itself first, then those that its controllers created. */
    List<Workload> partsOf(String job) {
        return workloads.values().stream()
                .filter(one -> Optional.ofNullable(workloads.get(top(one.uid())))
                        .filter(top -> top.id().equals(job))
                        .isPresent())
                .sorted(Comparator.comparing(one -> !one.id().equals(job)))
                .toList();
    }

    /** Returns the UID of the job that an object belongs to. */
    private String top(String uid) {
        String at = uid;
        for (int step = 0; step < workloads.size(); step++) {
            Workload workload = workloads.get(at);
            String owner = workload == null ? "" : Pod.ownerOf(workload.object());
            if (!workloads.containsKey(owner)) {
                return at;
            }
            at = owner;
        }
        return at;
    }
}
