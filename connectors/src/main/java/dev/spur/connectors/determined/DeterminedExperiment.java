package dev.spur.connectors.determined;

import dev.spur.connectors.JobPlacement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * An experiment as read from the master.
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

    /** Returns the id of the experiment in the job queue. */
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

    /** Returns true if its configuration has the slots and the batch size of {@code there}. */
    boolean hasSizeOf(JobPlacement there) {
        return slots() == there.total()
                && (there.batch() == null || there.batch().equals(ExperimentReader.batch(config)));
    }

    String pool() {
        return ExperimentReader.text(
                config.path("resources"), "resource_pool", ExperimentReader.text(row, "resourcePool", "none"));
    }

    /** Returns true if Spur canceled the experiment in order to continue it, and has not continued it yet. */
    boolean waitsForActivation() {
        return ExperimentReader.waitsForActivation(row, config, notes());
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

    /** Returns the number of the next continuation, from 1. */
    OptionalInt nextContinuation() {
        return OptionalInt.of(ExperimentReader.continuations(config) + 1);
    }

    /**
     * Returns the configuration changes for the next continuation. They include the count of continuations, so that a
     * completed continuation is never mistaken for a pending one. All other data is repeated, because the master
     * replaces the whole map. It merges hyperparameters by name.
     */
    Map<String, ?> continuedWith(String pool, JobPlacement there) {
        Map<String, Object> data = new LinkedHashMap<>();
        config.path("data").properties().forEach(entry -> data.put(entry.getKey(), entry.getValue()));
        data.put(ExperimentReader.CONTINUED, nextContinuation().orElseThrow());
        Map<String, Object> changes = new LinkedHashMap<>();
        changes.put("resources", Map.of("slots_per_trial", there.total(), "resource_pool", pool));
        changes.put("data", data);
        if (there.batch() != null) {
            changes.put("hyperparameters", Map.of(ExperimentReader.BATCH, there.batch()));
        }
        return changes;
    }
}
