package dev.spur.connectors.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** GPUs in resource lists. */
final class Gpus {
    /** Resource names of whole GPUs, each with the node labels that contain the GPU type, in order of preference. */
    private static final Map<String, List<String>> LABELS = Map.of(
            "nvidia.com/gpu", List.of("nvidia.com/gpu.product"),
            "amd.com/gpu", List.of("amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"));

    private Gpus() {}

    /** Returns the names of whole-GPU resources with a positive quantity. */
    static List<String> kinds(JsonNode resources) {
        return LABELS.keySet().stream()
                .filter(name -> amount(resources.path(name)) > 0)
                .sorted()
                .toList();
    }

    /** Returns true if a resource is whole GPUs. */
    static boolean isResource(String name) {
        return LABELS.containsKey(name);
    }

    /** Returns the number of whole GPUs. */
    static int count(JsonNode resources) {
        return LABELS.keySet().stream()
                .mapToInt(name -> (int) amount(resources.path(name)))
                .sum();
    }

    /** Returns the GPU type from node labels. */
    static Optional<String> type(String resource, JsonNode labels) {
        return LABELS.getOrDefault(resource, List.of()).stream()
                .map(label -> labels.path(label).asString(""))
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    /**
     * Returns the GPUs of a pod: the sum of its containers, or the maximum of its init containers if that is larger.
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

    /** Returns what the containers of a pod request of a resource. A limit without a request counts as the request. */
    static double request(JsonNode spec, String resource) {
        return spec.path("containers")
                .valueStream()
                .mapToDouble(container -> containerRequest(container, resource))
                .sum();
    }

    /** Returns what a container requests of a resource. A limit without a request counts as the request. */
    static double containerRequest(JsonNode container, String resource) {
        JsonNode resources = container.path("resources");
        JsonNode request = resources.path("requests").path(resource);
        return amount(request.isMissingNode() ? resources.path("limits").path(resource) : request);
    }

    /** Returns the GPUs of a container. */
    static int ofContainer(JsonNode container) {
        JsonNode resources = container.path("resources");
        return Math.max(count(resources.path("limits")), count(resources.path("requests")));
    }

    /** Parses a Kubernetes quantity such as {@code 64Gi}; 0 if there is none. */
    static double amount(JsonNode quantity) {
        String text = quantity.asString("");
        return text.isBlank() ? 0 : Quantity.parse(text).getNumericalAmount().doubleValue();
    }
}
