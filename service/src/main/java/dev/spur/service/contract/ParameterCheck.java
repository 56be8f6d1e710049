package dev.spur.service.contract;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the parameters and headers of a request against the contract. Spring MVC binds them afterwards. */
final class ParameterCheck {
    private ParameterCheck() {}

    /** Adds the errors of all parameters to {@code errors}. */
    static void check(
            Operation operation, Map<String, String> path, HttpServletRequest request, List<FieldError> errors) {
        Map<String, List<String>> query = query(request.getQueryString(), errors);
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
            check(parameter, given, errors);
        }
        for (String name : query.keySet()) {
            if (!known.contains(name)) {
                errors.add(FieldError.inParameter(name, "is unknown"));
            }
        }
    }

    private static void check(Parameter parameter, @Nullable List<String> given, List<FieldError> errors) {
        if (given == null || given.isEmpty()) {
            if (parameter.required()) {
                errors.add(parameter.error("is required"));
            }
        } else if (given.size() > 1 && !parameter.array()) {
            errors.add(parameter.error("is given " + given.size() + " times"));
        } else if (!given.stream().allMatch(TextCheck::isClean)) {
            errors.add(parameter.error(TextCheck.UNCLEAN));
        } else {
            for (FieldError error : parameter.check().errors(parameter.parse(given))) {
                errors.add(parameter.error(error.message()));
            }
        }
    }

    private static List<String> header(String name, HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(name));
        boolean list = name.equals("If-Match") || name.equals("If-None-Match");
        return list && values.size() > 1 ? List.of(String.join(", ", values)) : values;
    }

    /**
     * Values by name, in order. The servlet container drops pairs that it cannot decode; they are added to
     * {@code errors}.
     */
    private static Map<String, List<String>> query(@Nullable String query, List<FieldError> errors) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return values;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String rawName = equals < 0 ? pair : pair.substring(0, equals);
            try {
                String value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                values.computeIfAbsent(URLDecoder.decode(rawName, StandardCharsets.UTF_8), name -> new ArrayList<>())
                        .add(value);
            } catch (IllegalArgumentException e) {
                errors.add(FieldError.inParameter(rawName, "is not properly encoded"));
            }
        }
        return values;
    }
}
