package dev.spur.cli;

import dev.spur.agent.protocol.ServiceClient.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Text of an error response for users of the command line, which names fields by the words of the command line. */
final class ProblemText {
    private static final int SERVER_ERRORS = 500;

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
        if (isRepeated(detail, problem.path("errors"))) {
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

    /** Returns whether the detail repeats the first of the errors, which are listed. */
    private static boolean isRepeated(String detail, JsonNode errors) {
        return !errors.isEmpty()
                && detail.contains(errors.path(0).path("message").asString());
    }

    private static Stream<String> errors(JsonNode errors, UnaryOperator<String> field) {
        Map<String, String> first = new LinkedHashMap<>();
        for (JsonNode error : errors) {
            String place = error.path("pointer").isString()
                    ? field.apply(error.path("pointer").asString())
                    : error.path("parameter").asString(error.path("header").asString(""));
            String message = error.path("message").asString("");
            // Errors of the whole request have no field, and each is of its own.
            first.putIfAbsent(place.isEmpty() ? message : place, place.isEmpty() ? message : place + ": " + message);
        }
        return first.values().stream();
    }

    /** Returns the property of a JSON pointer: {@code spec.batch.initial} for {@code /spec/batch/initial}. */
    static String property(String pointer) {
        return pointer.isEmpty() ? "" : pointer.substring(1).replace('/', '.');
    }
}
