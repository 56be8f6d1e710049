package dev.spur.cli;

import dev.spur.agent.protocol.ServiceClient.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Text of an error response for users of the command line, which names fields by the words of the command line. */
final class ProblemText {
    private static final int SERVER_ERRORS = 500;
    private static final Pattern COUNT = Pattern.compile("\\d+ errors?\\.");
    /** Messages of the schema validation, with the words to use instead. */
    private static final Map<Pattern, String> SCHEMA = schema();

    private ProblemText() {}

    /**
     * Returns the text.
     *
     * @param request method and path, for a response without an explanation
     * @param field name of a field by its JSON pointer
     */
    static String of(String request, Answer answer, UnaryOperator<String> field) {
        JsonNode problem = answer.json();
        List<String> lines = Stream.concat(
                        errors(problem.path("errors"), field),
                        problem.path("reasons").valueStream().map(reason -> reason.asString("")))
                .toList();
        String detail = problem.path("detail").asString(problem.path("title").asString(""));
        if (detail.isEmpty()) {
            detail = "The service answered %s with status %d.".formatted(request, answer.status());
        } else if (answer.status() >= SERVER_ERRORS) {
            detail += " (%s: status %d, request id %s)"
                    .formatted(
                            request, answer.status(), problem.path("requestId").asString("unknown"));
        }
        detail = detail.replace("Set waitForHardware to", "Add --wait-for-hardware to");
        if (COUNT.matcher(detail).matches() || isRepeated(detail, problem.path("errors"))) {
            if (lines.size() == 1) {
                return lines.get(0);
            }
            detail = "The service rejected %d values.".formatted(lines.size());
        }
        return lines.isEmpty()
                ? detail
                : detail
                        + String.join(
                                "", lines.stream().map("%n  %s"::formatted).toList());
    }

    /** Returns whether the detail is that of the only error, after its pointer. */
    private static boolean isRepeated(String detail, JsonNode errors) {
        String pointer = errors.path(0).path("pointer").asString("");
        return errors.size() == 1 && !pointer.isEmpty() && detail.startsWith(pointer + " ");
    }

    /** Returns the first error of each field: further errors of a field come from the same wrong value. */
    private static Stream<String> errors(JsonNode errors, UnaryOperator<String> field) {
        Map<String, String> first = new LinkedHashMap<>();
        for (JsonNode error : errors) {
            String place = error.path("pointer").isString()
                    ? field.apply(error.path("pointer").asString())
                    : error.path("parameter").asString(error.path("header").asString(""));
            String message = readable(error.path("message").asString(""));
            // Errors of the whole request have no field, and each is of its own.
            first.putIfAbsent(place.isEmpty() ? message : place, place.isEmpty() ? message : place + ": " + message);
        }
        return first.values().stream();
    }

    private static String readable(String message) {
        for (Map.Entry<Pattern, String> entry : SCHEMA.entrySet()) {
            var match = entry.getKey().matcher(message);
            if (match.matches()) {
                return match.replaceFirst(entry.getValue());
            }
        }
        return message;
    }

    private static Map<Pattern, String> schema() {
        Map<Pattern, String> texts = new LinkedHashMap<>();
        texts.put(Pattern.compile("must have a maximum value of (.*)"), "must be at most $1");
        texts.put(Pattern.compile("must have a minimum value of (.*)"), "must be at least $1");
        texts.put(Pattern.compile("does not have a value in the enumeration \\[(.*)]"), "must be one of $1");
        texts.put(
                Pattern.compile("does not match the date-time pattern.*"),
                "is not a time such as 2027-01-31T18:00:00Z");
        texts.put(
                Pattern.compile("does not match the uuid pattern.*"),
                "is not an id such as 8f14e45f-ceea-467f-9a36-dedd4bea2543");
        return texts;
    }

    /** Returns the property of a JSON pointer: {@code spec.batch.initial} for {@code /spec/batch/initial}. */
    static String property(String pointer) {
        return pointer.isEmpty() ? "" : pointer.substring(1).replace('/', '.');
    }
}
