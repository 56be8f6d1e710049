package dev.spur.service.web.contract;

import dev.spur.model.json.RoundJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Checks responses against the contract. Status, headers, media type and body must be declared for the operation, and
 * members with a default must be present. A path without an operation must return an error or a page.
 */
final class ResponseValidator {
    private static final Set<Integer> OF_NO_OPERATION = Set.of(200, 400, 404, 405, 406);

    /** Headers of HTTP itself, and security headers that all responses have. */
    private static final Set<String> TRANSPORT = Set.of(
            "date",
            "content-type",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "vary",
            "content-encoding",
            "accept-ranges",
            "last-modified",
            "content-language",
            "content-security-policy",
            "referrer-policy",
            "x-content-type-options",
            "x-frame-options");

    private final Contract contract;
    private final List<PathPattern> templates;

    public ResponseValidator(Contract contract) {
        this.contract = contract;
        templates = contract.operations().stream()
                .map(Operation::path)
                .distinct()
                .map(PathPatternParser.defaultInstance::parse)
                .toList();
    }

    /**
     * A received response.
     *
     * @param headers by name, in any case
     */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    public record ReceivedResponse(int status, Map<String, List<String>> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        Optional<String> header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().get(0))
                    .findFirst();
        }
    }

    /** All deviations from the contract in a response to {@code method} at {@code path}, the raw path of a URI. */
    public List<String> misfits(String method, String path, ReceivedResponse answer) {
        Operation operation = find(method, path);
        if (operation == null) {
            return OF_NO_OPERATION.contains(answer.status())
                    ? List.of()
                    : List.of("is not an operation, but returned " + answer.status());
        }
        String place = "/paths/" + operation.path().replace("/", "~1") + "/"
                + operation.method().toLowerCase(Locale.ROOT) + "/responses/" + answer.status();
        JsonNode declared = contract.document().at(place);
        if (declared.isMissingNode()) {
            return List.of("status %d is not declared: %s".formatted(answer.status(), answer.text()));
        }
        if (declared.has("$ref")) {
            place = declared.path("$ref").asString().substring(1);
            declared = contract.resolve(declared);
        }
        List<String> misfits = new ArrayList<>(ofHeaders(declared, answer));
        if (!method.equals("HEAD")) {
            misfits.addAll(ofBody(declared, place, answer));
        }
        return misfits;
    }

    private @Nullable Operation find(String method, String path) {
        PathContainer parsed;
        try {
            parsed = PathContainer.parsePath(path);
        } catch (IllegalArgumentException e) {
            return null; // The path has an invalid escape sequence.
        }
        return templates.stream()
                .filter(template -> !path.contains(";") && template.matches(parsed))
                .sorted()
                .findFirst()
                .flatMap(template -> contract.operation(method, template.getPatternString()))
                .orElse(null);
    }

    private List<String> ofHeaders(JsonNode declared, ReceivedResponse answer) {
        List<String> misfits = new ArrayList<>();
        for (Map.Entry<String, List<String>> header : answer.headers().entrySet()) {
            if (TRANSPORT.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                continue;
            }
            Optional<JsonNode> rule = declared.path("headers").properties().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(header.getKey()))
                    .map(entry -> contract.resolve(entry.getValue()))
                    .findFirst();
            String pattern = rule.map(
                            found -> found.path("schema").path("pattern").asString(""))
                    .orElse("");
            if (rule.isEmpty()) {
                misfits.add("header %s is not declared".formatted(header.getKey()));
            } else if (header.getValue().size() != 1) {
                misfits.add("header %s is repeated".formatted(header.getKey()));
            } else if (!Pattern.compile(pattern)
                    .matcher(header.getValue().get(0))
                    .find()) {
                misfits.add("header %s does not fit: %s".formatted(header.getKey(), header.getValue()));
            }
        }
        if (answer.header("X-Request-Id").isEmpty()) {
            misfits.add("X-Request-Id is missing");
        }
        return misfits;
    }

    private List<String> ofBody(JsonNode declared, String place, ReceivedResponse answer) {
        if (!declared.has("content")) {
            return answer.body().length == 0 ? List.of() : List.of("has a body: " + answer.text());
        }
        String type = answer.header("Content-Type").orElse("").replaceFirst(";.*", "");
        if (!declared.path("content").has(type)) {
            return List.of("type %s is not declared: %s".formatted(type, answer.text()));
        }
        if (!type.endsWith("json")) {
            return List.of();
        }
        try {
            JsonNode body = RoundJson.mapper().readTree(answer.body());
            List<String> misfits = new ArrayList<>();
            SchemaCheck schema = contract.check(place + "/content/" + type.replace("/", "~1") + "/schema");
            schema.errors(body).forEach(error -> misfits.add(error + " in " + answer.text()));
            JsonNode completed = body.deepCopy();
            schema.fillInDefaults(completed);
            if (!completed.equals(body)) {
                misfits.add("members with a default are missing: " + answer.text());
            }
            return misfits;
        } catch (JacksonException noJson) {
            return List.of("is not JSON: " + answer.text());
        }
    }
}
