package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * All jobs and pods of a cluster. Objects that a job's controller creates in order to create pods, such as the Jobs of
 * a JobSet, are parts of the job.
 */
final class ClusterSnapshot {
    static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/pods";

    private final Map<String, Workload> workloads;
    private final List<Pod> pods;

    private ClusterSnapshot(Map<String, Workload> workloads, List<Pod> pods) {
        this.workloads = workloads;
        this.pods = pods;
    }

    /**
     * Reads the cluster. Pods are read first, so that a pod missing from the snapshot can only make its job appear to
     * wait.
     */
    static ClusterSnapshot read(ApiServerClient calls) throws IOException, InterruptedException {
        List<Pod> pods = pods(calls);
        Map<String, Workload> workloads = new HashMap<>();
        for (WorkloadKind kind : WorkloadKinds.ALL) {
            for (var object : calls.list(kind.collection())) {
                Workload workload = new Workload(kind, object);
                workloads.put(workload.uid(), workload);
            }
        }
        bodies(workloads);
        Kueue kueue = Kueue.read(calls);
        workloads.replaceAll((uid, job) -> kueue.with(job));
        return new ClusterSnapshot(workloads, pods);
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

    static List<Pod> pods(ApiServerClient calls) throws IOException, InterruptedException {
        return calls.list(PODS).stream().map(Pod::read).toList();
    }

    /** Returns all jobs, and the pods with GPUs that belong to no job. */
    List<PlatformJob> jobs(WorkloadReader reader) {
        Map<String, List<Pod>> byJob = new HashMap<>();
        pods.forEach(pod -> byJob.computeIfAbsent(top(pod.owner()), uid -> new ArrayList<>())
                .add(pod));
        List<PlatformJob> jobs = new ArrayList<>();
        workloads.values().stream()
                .filter(workload -> top(workload.uid()).equals(workload.uid()))
                .forEach(workload -> jobs.add(reader.read(workload, byJob.getOrDefault(workload.uid(), List.of()))));
        pods.stream()
                .filter(pod -> pod.holds() && !workloads.containsKey(top(pod.owner())))
                .forEach(pod -> jobs.add(reader.read(pod)));
        return jobs;
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
