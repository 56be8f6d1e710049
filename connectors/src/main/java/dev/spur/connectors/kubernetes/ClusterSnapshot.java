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
 * All jobs and pods of a cluster. What a job makes to have its pods made, such as the Jobs of a JobSet, is a part of
 * it.
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

    /** Pods are read first: one that is missing makes its job wait for it, and not the other way round. */
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

    /** Gives the jobs whose groups stand elsewhere what was made for them. */
    private static void bodies(Map<String, Workload> workloads) {
        Map<String, ObjectNode> made = new HashMap<>();
        workloads
                .values()
                .forEach(one ->
                        made.put(Pod.ownerOf(one.object()) + "/" + one.kind().id(), one.object()));
        workloads.replaceAll((uid, job) -> job.kind().made().isEmpty()
                ? job
                : job.made(Optional.ofNullable(made.get(uid + "/" + job.kind().made()))));
    }

    static List<Pod> pods(ApiServerClient calls) throws IOException, InterruptedException {
        return calls.list(PODS).stream().map(Pod::read).toList();
    }

    /** All jobs, and pods with GPUs that belong to none. */
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

    /** The job that an object is a part of. */
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
