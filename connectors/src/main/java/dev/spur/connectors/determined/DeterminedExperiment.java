package dev.spur.connectors.determined;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * One experiment as it was just read.
 *
 * @param row the experiment
 * @param config its configuration
 */
record DeterminedExperiment(JsonNode row, JsonNode config) {
    static DeterminedExperiment of(JsonNode answer) {
        JsonNode config = answer.path("config");
        return new DeterminedExperiment(
                answer.path("experiment"),
                config.isObject() ? config : answer.path("experiment").path("config"));
    }

    String id() {
        return Integer.toString(row.path("id").asInt());
    }

    /** The id under which its queue knows it. */
    String job() {
        return row.path("jobId").asString("");
    }

    String state() {
        return row.path("state").asString("");
    }

    Notes notes() {
        return Notes.read(row.path("notes").asString(""));
    }

    int slots() {
        return config.path("resources").path("slots_per_trial").asInt(0);
    }

    String pool() {
        return ExperimentReader.text(
                config.path("resources"), "resource_pool", ExperimentReader.text(row, "resourcePool", "none"));
    }

    /** True if Spur cancelled it to continue it, and has not yet. */
    boolean isParked() {
        return ExperimentReader.isParked(row, config, notes());
    }

    boolean isPaused() {
        return state().equals("STATE_PAUSED");
    }

    boolean isStopping() {
        return state().startsWith("STATE_STOPPING");
    }

    boolean isTerminal() {
        return switch (state()) {
            case "STATE_COMPLETED", "STATE_CANCELED", "STATE_ERROR" -> true;
            default -> state().startsWith("STATE_DELET");
        };
    }

    /** The continuation that comes next, counted from 1. */
    OptionalInt nextContinuation() {
        return OptionalInt.of(ExperimentReader.continued(config) + 1);
    }

    /**
     * What to change when it is continued. The count of continuations goes with it into the configuration, so that one
     * that was made is never taken for one that is still to come; all other data is repeated, lest it be replaced.
     */
    Map<String, ?> continuedWith(String pool, int slots) {
        Map<String, Object> data = new LinkedHashMap<>();
        config.path("data").properties().forEach(entry -> data.put(entry.getKey(), entry.getValue()));
        data.put(ExperimentReader.CONTINUED, nextContinuation().orElseThrow());
        return Map.of("resources", Map.of("slots_per_trial", slots, "resource_pool", pool), "data", data);
    }
}
