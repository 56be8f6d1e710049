package dev.spur.connectors.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** GPUs in lists of resources. */
final class Gpus {
    /** Resources that are whole GPUs, each with the labels of a node that tell their type, the best first. */
    private static final Map<String, List<String>> LABELS = Map.of(
            "nvidia.com/gpu", List.of("nvidia.com/gpu.product"),
            "amd.com/gpu", List.of("amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"));

    private Gpus() {}

    /** Names of the resources among {@code resources} that are whole GPUs and of which there are some. */
    static List<String> kinds(JsonNode resources) {
        return LABELS.keySet().stream()
                .filter(name -> amount(resources.path(name)) > 0)
                .sorted()
                .toList();
    }

    /** How many whole GPUs are among {@code resources}. */
    static int count(JsonNode resources) {
        return LABELS.keySet().stream()
                .mapToInt(name -> (int) amount(resources.path(name)))
                .sum();
    }

    /** The type of GPU that labels of a node tell. */
    static Optional<String> type(String resource, JsonNode labels) {
        return LABELS.getOrDefault(resource, List.of()).stream()
                .map(label -> labels.path(label).asString(""))
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    /**
     * What the pod of a specification holds: as much as its containers together, or the largest of those that come
     * before them.
     */
    static int ofPod(JsonNode spec) {
        int together = 0;
        for (JsonNode container : spec.path("containers")) {
            together += ofContainer(container);
        }
        int before = 0;
        for (JsonNode container : spec.path("initContainers")) {
            before = Math.max(before, ofContainer(container));
        }
        return Math.max(together, before);
    }

    private static int ofContainer(JsonNode container) {
        JsonNode resources = container.path("resources");
        return Math.max(count(resources.path("limits")), count(resources.path("requests")));
    }

    /** A quantity as Kubernetes writes it, such as {@code 64Gi}; 0 if there is none. */
    static double amount(JsonNode quantity) {
        String text = quantity.asString("");
        return text.isBlank() ? 0 : Quantity.parse(text).getNumericalAmount().doubleValue();
    }
}
