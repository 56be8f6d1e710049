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
 * The pods of a job whose owner gave them Spur's scheduling gate. Each is tied to its node when its gate is taken off.
 */
final class GatedPods {
    private final NodeHostnames hosts;
    private final List<Pod> pods;

    GatedPods(NodeHostnames hosts, List<Pod> pods) {
        this.hosts = hosts;
        this.pods = pods.stream().sorted(Comparator.comparing(Pod::name)).toList();
    }

    /** True if the mark of a job does not let its pods go, and none was let go. */
    static boolean areKept(Workload job, List<Pod> pods) {
        return job.mark().filter(LastAppliedState::runs).isEmpty()
                && pods.stream().noneMatch(Pod::isLetGo);
    }

    /** Where they are and go: where the mark says, unless some were let go otherwise; nowhere without a mark. */
    JobPlacement pinned(Workload job, PodSets shape) {
        JobPlacement there = job.mark().map(LastAppliedState::placement).orElse(JobPlacement.NONE);
        Map<String, Integer> taken = taken();
        boolean within = taken.entrySet().stream().allMatch(one -> one.getValue() <= there.on(one.getKey()));
        return shape.slots() == there.total() && within ? there : JobPlacement.NONE;
    }

    /** GPUs by node that those have which were let go. */
    private Map<String, Integer> taken() {
        Map<String, Integer> taken = new HashMap<>();
        pods.stream().filter(Pod::isLetGo).forEach(pod -> taken.merge(nodeOf(pod), pod.gpus(), Integer::sum));
        return taken;
    }

    private String nodeOf(Pod pod) {
        return pod.node().isEmpty() ? hosts.nodeOf(pod.host()) : pod.node();
    }

    /**
     * The node of each pod that may be let go, by uid, in the order of their names; empty for one without GPUs, which
     * may go anywhere. Pods for which {@code there} has no place are left out.
     */
    Map<String, String> nodes(JobPlacement there) {
        Map<String, Integer> taken = taken();
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
