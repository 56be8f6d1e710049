package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Parses nodes, including the labels of GPU Feature Discovery. */
final class KubernetesNodeReader {
    static final String HOSTNAME = "kubernetes.io/hostname";
    static final double BYTES_IN_GIB = 1L << 30;

    private final KubernetesSettings settings;

    KubernetesNodeReader(KubernetesSettings settings) {
        this.settings = settings;
    }

    /** Returns the pool of a node; empty if it is in none. */
    Optional<String> pool(JsonNode object) {
        return Optional.of(
                        object.at("/metadata/labels").path(settings.poolLabel()).asString(""))
                .filter(pool -> !pool.isBlank());
    }

    /** Returns the node with its use and its silence; empty if it is in no pool. */
    Optional<PlatformNode> read(JsonNode object, NodeUsage usage, Optional<Condition> silence) {
        return pool(object).map(pool -> read(object, pool, usage, silence));
    }

    private PlatformNode read(JsonNode object, String pool, NodeUsage usage, Optional<Condition> silence) {
        String name = object.at("/metadata/name").asString();
        JsonNode labels = object.at("/metadata/labels");
        JsonNode allocatable = object.at("/status/allocatable");
        List<String> kinds = Gpus.kinds(allocatable);
        List<String> notes = notes(labels, allocatable, kinds);
        boolean plain = kinds.size() == 1 && labels.has(HOSTNAME);
        int shares = shares(labels);
        return new PlatformNode(
                name,
                pool,
                plain ? type(kinds.get(0), labels, shares) : null,
                plain ? Gpus.count(allocatable) : 0,
                plain ? usage.gpus() : 0,
                usage.freeCpus(Gpus.amount(allocatable.path("cpu"))),
                usage.freeMemoryGiB(Gpus.amount(allocatable.path("memory")) / BYTES_IN_GIB),
                silence.orElseGet(() -> condition(object)),
                notes,
                shares > 1,
                textOf(labels, settings.rackLabel()),
                textOf(labels, settings.blockLabel()));
    }

    private static @Nullable String textOf(JsonNode labels, String name) {
        String text = labels.path(name).asString("");
        return text.isBlank() ? null : text;
    }

    /**
     * Returns the number of pods that share each GPU by time or MPS, 1 for whole GPUs. The device plugin of NVIDIA
     * counts each share as a GPU.
     */
    private static int shares(JsonNode labels) {
        return Math.max(1, (int) Gpus.amount(labels.path("nvidia.com/gpu.replicas")));
    }

    /** Returns the type of the GPUs, or of their shares, as the agent names it. */
    private static String type(String kind, JsonNode labels, int shares) {
        String whole = Gpus.type(kind, labels).orElse("gpu");
        return shares == 1 ? whole : "%s-SHARED-%d".formatted(whole.replaceFirst("-SHARED$", ""), shares);
    }

    private static List<String> notes(JsonNode labels, JsonNode allocatable, List<String> kinds) {
        List<String> notes = new ArrayList<>();
        if (kinds.size() > 1) {
            notes.add("GPUs of different vendors (%s) are not supported".formatted(kinds));
        }
        if (Gpus.amount(allocatable.path("nvidia.com/gpu.shared")) > 0) {
            notes.add(
                    "the resource nvidia.com/gpu.shared is not supported: set renameByDefault of the device plugin to false");
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
