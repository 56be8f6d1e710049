package dev.spur.service.contract;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds operations by method and path. In this tree of path segments, a literal segment takes precedence over a
 * variable.
 */
public final class RouteIndex {
    private final Segment root = new Segment();

    RouteIndex() {}

    /**
     * A matched operation.
     *
     * @param operation the operation
     * @param variables decoded path variables by name
     */
    public record Match(Operation operation, Map<String, String> variables) {}

    private static final class Segment {
        final Map<String, Segment> named = new HashMap<>();
        final Map<String, Operation> operations = new HashMap<>();

        @Nullable
        Segment variable;
    }

    void add(Operation operation) {
        Segment at = root;
        for (String part : parts(operation.path())) {
            if (part.startsWith("{")) {
                if (at.variable == null) {
                    at.variable = new Segment();
                }
                at = at.variable;
            } else {
                at = at.named.computeIfAbsent(part, key -> new Segment());
            }
        }
        at.operations.put(operation.method(), operation);
    }

    Optional<Match> find(String method, String path) {
        String[] parts = parts(path);
        Segment at = root;
        for (String part : parts) {
            Segment next = at.named.getOrDefault(part, at.variable);
            if (next == null) {
                return Optional.empty();
            }
            at = next;
        }
        Operation operation = at.operations.get(method);
        return operation == null ? Optional.empty() : Optional.of(new Match(operation, variables(operation, parts)));
    }

    private static Map<String, String> variables(Operation operation, String[] parts) {
        Map<String, String> variables = new LinkedHashMap<>();
        String[] template = parts(operation.path());
        for (int i = 0; i < template.length; i++) {
            if (template[i].startsWith("{")) {
                variables.put(template[i].substring(1, template[i].length() - 1), decode(parts[i]));
            }
        }
        return variables;
    }

    /** In a path, unlike in a query, a plus sign is literal. Invalid escapes stay unchanged and fail the schema. */
    private static String decode(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return part;
        }
    }

    private static String[] parts(String path) {
        return path.substring(1).split("/", -1);
    }
}
