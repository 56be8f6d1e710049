package dev.spur.benchmarks.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Operation of the contract, as far as the generator needs it.
 *
 * @param method upper case
 * @param path path template
 * @param parameters parameters with resolved references
 * @param bodies example bodies by media type; empty if the operation has no body
 */
record Route(String method, String path, List<JsonNode> parameters, Map<String, List<JsonNode>> bodies) {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");
    private static final int COLLECTION = 3;

    /** Returns all operations of the contract. */
    static List<Route> all(JsonNode contract) {
        List<Route> routes = new ArrayList<>();
        contract.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(item -> METHODS.contains(item.getKey()))
                        .forEach(item -> routes.add(of(
                                contract,
                                item.getKey(),
                                path.getKey(),
                                path.getValue().path("parameters"),
                                item.getValue()))));
        return routes;
    }

    private static Route of(JsonNode contract, String method, String path, JsonNode shared, JsonNode operation) {
        List<JsonNode> parameters = new ArrayList<>();
        shared.forEach(parameter -> parameters.add(resolve(contract, parameter)));
        operation.path("parameters").forEach(parameter -> parameters.add(resolve(contract, parameter)));
        Map<String, List<JsonNode>> bodies = new java.util.TreeMap<>();
        resolve(contract, operation.path("requestBody"))
                .path("content")
                .properties()
                .forEach(content -> {
                    List<JsonNode> examples = new ArrayList<>();
                    content.getValue()
                            .path("examples")
                            .forEach(example ->
                                    examples.add(resolve(contract, example).path("value")));
                    bodies.put(content.getKey(), examples);
                });
        return new Route(method.toUpperCase(Locale.ROOT), path, parameters, bodies);
    }

    private static JsonNode resolve(JsonNode contract, JsonNode node) {
        return node.has("$ref")
                ? resolve(contract, contract.at(node.path("$ref").asString().substring(1)))
                : node;
    }

    /** Returns method and path template. */
    String name() {
        return method + " " + path;
    }

    /** Returns the collection: the path segment after the version, or the first segment of a path without version. */
    String collection() {
        String[] segments = path.split("/", -1);
        return segments.length > COLLECTION ? segments[COLLECTION] : segments[1];
    }

    /** Returns the parameters of a location, for example {@code query}. */
    List<JsonNode> parameters(String in) {
        return parameters.stream()
                .filter(parameter -> parameter.path("in").asString().equals(in))
                .toList();
    }
}
