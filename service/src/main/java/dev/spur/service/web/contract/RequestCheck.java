package dev.spur.service.web.contract;

import dev.spur.service.web.contract.Operation.Parameter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Checks media types, parameters and headers of a request against the contract. Spring MVC binds parameters and headers
 * afterwards.
 */
final class RequestCheck {
    private RequestCheck() {}

    /** Adds the errors of all parameters to {@code errors}. */
    static void checkParameters(
            Operation operation, Map<String, String> path, HttpServletRequest request, List<FieldError> errors) {
        Map<String, List<String>> query = query(request.getQueryString(), errors);
        for (Parameter parameter : operation.parameters()) {
            List<String> given = switch (parameter.in()) {
                case "path" -> List.of(path.getOrDefault(parameter.name(), ""));
                case "query" -> query.remove(parameter.name());
                default -> header(parameter.name(), request);
            };
            check(parameter, given, errors);
        }
        query.keySet().forEach(name -> errors.add(FieldError.inParameter(name, "is unknown")));
    }

    private static void check(Parameter parameter, @Nullable List<String> given, List<FieldError> errors) {
        if (given == null || given.isEmpty()) {
            if (parameter.required()) {
                errors.add(parameter.error("is required"));
            }
        } else if (given.size() > 1 && !parameter.array()) {
            errors.add(parameter.error("is given " + given.size() + " times"));
        } else if (!given.stream().allMatch(BodyReader::isClean)) {
            errors.add(parameter.error(BodyReader.UNCLEAN));
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

    /** Requires that the header Accept allows a media type of the operation. */
    static void checkAccept(HttpServletRequest request, Operation operation) {
        String accept = request.getHeader("Accept");
        if (accept == null || accept.equals("*/*") || operation.produces().isEmpty()) {
            return;
        }
        if (!acceptsOneOf(accept, operation)) {
            String known = operation.produces().stream().sorted().collect(Collectors.joining(", "));
            throw ProblemException.of(
                    ProblemType.NOT_ACCEPTABLE, FieldError.inHeader("Accept", "allows none of " + known));
        }
    }

    private static boolean acceptsOneOf(String accept, Operation operation) {
        try {
            List<MediaType> accepted = MediaType.parseMediaTypes(accept);
            return operation.produces().stream()
                    .map(MediaType::parseMediaType)
                    .anyMatch(type -> accepted.stream().anyMatch(w -> w.getQualityValue() > 0 && w.includes(type)));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /**
     * The schema of the body of the request.
     *
     * @throws ProblemException 415 if its media type, charset or encoding is unsupported
     */
    static SchemaCheck bodySchema(HttpServletRequest request, Operation operation) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw unsupportedMediaType("Content-Encoding", "must be absent");
        }
        SchemaCheck schema = schema(request.getContentType(), operation);
        if (schema == null) {
            String known = operation.bodies().keySet().stream().sorted().collect(Collectors.joining(" or "));
            throw unsupportedMediaType("Content-Type", "must be " + known + ", in UTF-8");
        }
        return schema;
    }

    private static @Nullable SchemaCheck schema(@Nullable String contentType, Operation operation) {
        if (contentType == null) {
            return null;
        }
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            Charset charset = type.getCharset();
            boolean readable = charset == null || charset.equals(StandardCharsets.UTF_8);
            return readable ? operation.bodies().get(type.getType() + "/" + type.getSubtype()) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static ProblemException unsupportedMediaType(String header, String message) {
        return ProblemException.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, FieldError.inHeader(header, message));
    }
}
