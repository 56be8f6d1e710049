package dev.spur.service.contract;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads and validates the parameters and headers of a request. */
final class ParameterReader {
    private ParameterReader() {}

    /** Values by name, with defaults; errors are added to {@code errors}. */
    static Map<String, JsonNode> read(
            Operation operation, Map<String, String> path, HttpServletRequest request, List<FieldError> errors) {
        Map<String, List<String>> query = QueryString.parse(request.getQueryString(), errors);
        Map<String, JsonNode> values = new HashMap<>();
        Set<String> known = new HashSet<>();
        for (Parameter parameter : operation.parameters()) {
            List<String> given = switch (parameter.in()) {
                case "path" -> List.of(path.getOrDefault(parameter.name(), ""));
                case "query" -> query.get(parameter.name());
                default -> header(parameter.name(), request);
            };
            if (parameter.in().equals("query")) {
                known.add(parameter.name());
            }
            JsonNode value = read(parameter, given, errors);
            if (value != null) {
                values.put(parameter.name(), value);
            }
        }
        for (String name : query.keySet()) {
            if (!known.contains(name)) {
                errors.add(FieldError.inParameter(name, "is unknown"));
            }
        }
        return values;
    }

    private static @Nullable JsonNode read(Parameter parameter, @Nullable List<String> given, List<FieldError> errors) {
        if (given == null || given.isEmpty()) {
            if (parameter.required()) {
                errors.add(parameter.error("is required"));
            }
            return parameter.fallback();
        }
        if (given.size() > 1 && !parameter.array()) {
            errors.add(parameter.error("is given " + given.size() + " times"));
            return null;
        }
        if (!given.stream().allMatch(TextCheck::isClean)) {
            errors.add(parameter.error(TextCheck.UNCLEAN));
            return null;
        }
        JsonNode value = parameter.parse(given);
        for (FieldError error : parameter.check().errors(value)) {
            errors.add(parameter.error(error.message()));
        }
        return value;
    }

    private static List<String> header(String name, HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(name));
        boolean list = name.equals("If-Match") || name.equals("If-None-Match");
        return list && values.size() > 1 ? List.of(String.join(", ", values)) : values;
    }
}
