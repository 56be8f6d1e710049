package dev.spur.cli;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Array of jobs as a line of a list. */
final class ArrayRow {
    private static final List<String> STATES =
            List.of("RUNNING", "COMPLETING", "WAITING", "SUBMITTED", "FAILED", "CANCELLED", "DONE");

    private ArrayRow() {}

    /** Returns true for an array, false for a job. */
    static boolean isArray(JsonNode item) {
        return item.path("states").isObject();
    }

    /** Returns the number of jobs by state in words, such as {@code 20 running, 80 waiting}. */
    static String states(JsonNode array) {
        return STATES.stream()
                .filter(state -> array.path("states").has(state))
                .map(state ->
                        "%s %s".formatted(array.path("states").path(state).asInt(), state.toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining(", "));
    }

    /** Returns the name with the indices and the limit, such as {@code sweep[0-99%20]}. */
    static String name(JsonNode array) {
        JsonNode limit = array.path("limit");
        return "%s[%s%s]"
                .formatted(
                        array.path("name").asString(),
                        array.path("indices").asString(),
                        limit.isNumber() ? "%" + limit.asInt() : "");
    }

    /** Returns the share of the jobs that are done, in percent. */
    static String progress(JsonNode array) {
        return Math.round(100.0
                        * array.at("/states/DONE").asInt(0)
                        / Math.max(1, array.path("size").asInt()))
                + "%";
    }
}
