package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods of a job whose pod templates have the scheduling gate of Spur. Each pod is pinned to its node when its gate
 * is removed.
 */
final class GatedPods {
    private final NodeHostnames hosts;
    private final List<Pod> pods;

    GatedPods(NodeHostnames hosts, List<Pod> pods) {
        this.hosts = hosts;
        this.pods = pods.stream().sorted(Comparator.comparing(Pod::name)).toList();
    }

    /** Returns true if the last-applied state of a job holds its pods and no pod was released. */
    static boolean areHeld(Workload job, List<Pod> pods) {
        return job.mark().filter(LastAppliedState::runs).isEmpty()
                && pods.stream().noneMatch(Pod::isReleased);
    }

    /**
     * Returns the placement of the pods: that of the last-applied state unless pods were released otherwise; none
     * without a last-applied state.
     */
    JobPlacement placement(Workload job, PodSets shape) {
        JobPlacement there = job.mark().map(LastAppliedState::placement).orElse(JobPlacement.NONE);
        Map<String, Integer> taken = usedGpus();
        boolean within = taken.entrySet().stream().allMatch(one -> one.getValue() <= there.on(one.getKey()));
        return shape.slots() == there.total() && within ? there : JobPlacement.NONE;
    }

    /** Returns the GPUs of the released pods, by node. */
    private Map<String, Integer> usedGpus() {
        Map<String, Integer> taken = new HashMap<>();
        pods.stream().filter(Pod::isReleased).forEach(pod -> taken.merge(nodeOf(pod), pod.gpus(), Integer::sum));
        return taken;
    }

    private String nodeOf(Pod pod) {
        return pod.node().isEmpty() ? hosts.nodeOf(pod.host()) : pod.node();
    }

    /**
     * Returns the node of each pod that may be released, by UID, in the order of pod names. The value is empty for a
     * pod without GPUs, which may run on any node. Pods that exceed {@code there} are omitted.
     */
    Map<String, String> nodes(JobPlacement there) {
        Map<String, Integer> taken = usedGpus();
        Map<String, String> nodes = new LinkedHashMap<>();
        for (Pod pod : pods) {
            if (!pod.gated()) {
                continue;
            }
            if (pod.gpus() == 0) {
                nodes.put(pod.uid(), "");
                continue;
            }
            Optional<String> free = there.slots().keySet().stream()
                    .filter(node -> hosts.slots(node) > 0)
                    .filter(node -> taken.getOrDefault(node, 0) + pod.gpus() <= there.on(node))
                    .findFirst();
            free.ifPresent(node -> {
                nodes.put(pod.uid(), node);
                taken.merge(node, pod.gpus(), Integer::sum);
            });
        }
        return nodes;
    }
}
