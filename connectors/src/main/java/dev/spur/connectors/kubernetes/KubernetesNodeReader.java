package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Parses nodes, including the labels of GPU Feature Discovery. */
final class KubernetesNodeReader {
    static final String HOSTNAME = "kubernetes.io/hostname";
    private static final double BYTES_IN_GIB = 1L << 30;

    private final String poolLabel;

    KubernetesNodeReader(String poolLabel) {
        this.poolLabel = poolLabel;
    }

    /** Returns the node; empty if it is in no pool. */
    Optional<PlatformNode> read(JsonNode object, List<Pod> pods) {
        String pool = object.at("/metadata/labels").path(poolLabel).asString("");
        return pool.isBlank() ? Optional.empty() : Optional.of(read(object, pool, pods));
    }

    private static PlatformNode read(JsonNode object, String pool, List<Pod> pods) {
        String name = object.at("/metadata/name").asString();
        JsonNode labels = object.at("/metadata/labels");
        JsonNode allocatable = object.at("/status/allocatable");
        List<String> kinds = Gpus.kinds(allocatable);
        List<String> notes = notes(labels, allocatable, kinds);
        boolean plain = kinds.size() == 1 && !isShared(labels) && labels.has(HOSTNAME);
        return new PlatformNode(
                name,
                pool,
                plain ? Gpus.type(kinds.get(0), labels).orElse("gpu") : null,
                plain ? Gpus.count(allocatable) : 0,
                plain
                        ? pods.stream()
                                .filter(pod -> pod.holds() && pod.node().equals(name))
                                .mapToInt(Pod::gpus)
                                .sum()
                        : 0,
                Gpus.amount(allocatable.path("cpu")),
                Gpus.amount(allocatable.path("memory")) / BYTES_IN_GIB,
                condition(object),
                notes);
    }

    /** Returns true if GPUs are time-sliced, so that the allocatable quantity exceeds the number of GPUs. */
    private static boolean isShared(JsonNode labels) {
        String strategy = labels.path("nvidia.com/gpu.sharing-strategy").asString("none");
        return !strategy.equals("none") || Gpus.amount(labels.path("nvidia.com/gpu.replicas")) > 1;
    }

    private static List<String> notes(JsonNode labels, JsonNode allocatable, List<String> kinds) {
        List<String> notes = new ArrayList<>();
        if (kinds.size() > 1) {
            notes.add("GPUs of different vendors (%s) are not supported".formatted(kinds));
        }
        if (!kinds.isEmpty() && isShared(labels)) {
            notes.add("GPUs shared between pods are not supported");
        }
        if (!kinds.isEmpty() && !labels.has(HOSTNAME)) {
            notes.add("the label %s, required to place pods, is missing".formatted(HOSTNAME));
        }
        allocatable
                .propertyStream()
                .filter(resource -> resource.getKey().startsWith("nvidia.com/mig-"))
                .filter(resource -> Gpus.amount(resource.getValue()) > 0)
                .forEach(resource -> notes.add("GPU partitions are not supported: %s of %s"
                        .formatted(resource.getValue().asString(""), resource.getKey())));
        return notes;
    }

    private static Condition condition(JsonNode object) {
        String ready = "";
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asString("").equals("Ready")) {
                ready = condition.path("status").asString("");
            }
        }
        if (ready.equals("True")) {
            return object.at("/spec/unschedulable").asBoolean(false) ? Condition.CLOSED : Condition.OPEN;
        }
        // a kubelet that reports NotReady keeps its running pods; one without a report does not respond
        return ready.equals("False") ? Condition.CLOSED : Condition.LOST;
    }
}
