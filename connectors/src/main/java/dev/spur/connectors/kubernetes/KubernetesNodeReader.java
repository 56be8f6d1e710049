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
    static final double BYTES_IN_GIB = 1L << 30;

    private final String poolLabel;

    KubernetesNodeReader(String poolLabel) {
        this.poolLabel = poolLabel;
    }

    /** Returns the pool of a node; empty if it is in none. */
    Optional<String> pool(JsonNode object) {
        return Optional.of(object.at("/metadata/labels").path(poolLabel).asString(""))
                .filter(pool -> !pool.isBlank());
    }

    /** Returns the node with its use and its silence; empty if it is in no pool. */
    Optional<PlatformNode> read(JsonNode object, NodeUsage usage, Optional<Condition> silence) {
        return pool(object).map(pool -> read(object, pool, usage, silence));
    }

    private static PlatformNode read(JsonNode object, String pool, NodeUsage usage, Optional<Condition> silence) {
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
                plain ? usage.gpus() : 0,
                usage.freeCpus(Gpus.amount(allocatable.path("cpu"))),
                usage.freeMemoryGiB(Gpus.amount(allocatable.path("memory")) / BYTES_IN_GIB),
                silence.orElseGet(() -> condition(object)),
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

    /** Returns the condition of a node that reports. The pods of a node that reports NotReady run on. */
    private static Condition condition(JsonNode object) {
        boolean takesPods =
                SilentNodes.ready(object).path("status").asString("").equals("True")
                        && !object.at("/spec/unschedulable").asBoolean(false);
        return takesPods ? Condition.OPEN : Condition.CLOSED;
    }
}
