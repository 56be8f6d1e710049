package dev.spur.connectors.determined;

import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Reads experiments as the master shows them. */
final class ExperimentReader {
    /** The label that offers an experiment. */
    static final String LABEL = "spur";

    /** Words that only experiments have: the pools that one may run in, and what speaks of aggregators. */
    private static final Set<String> FURTHER = Set.of("pools", "gradients", "aggregation", "speeds");

    private static final String KEY = "SPUR_JOB_KEY=";
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** Where in the data of a configuration it stands how often Spur has continued the experiment. */
    static final String CONTINUED = "spur_continued";

    /** The priority of a job that says none, where its pool says none either. */
    private static final int USUAL_PRIORITY = 42;

    private static final int LEAST_URGENT = 100;

    /** Why an experiment that deletes its latest checkpoint when it ends cannot be resized. */
    static final String LOSES_CHECKPOINT =
            "checkpoint_storage.save_trial_latest is 0, and a change of size ends and continues the"
                    + " experiment, which deletes its latest checkpoint: set it to 1 or more, or leave out spur/gpus";

    private ExperimentReader() {}

    /** True if it is offered, by its labels. */
    static boolean isOffered(JsonNode experiment) {
        return words(experiment).offered();
    }

    /** What its labels say: {@code spur}, and {@code spur/NAME=VALUE} for each word. */
    private static JobAnnotation words(JsonNode experiment) {
        String said = StreamSupport.stream(experiment.path("labels").spliterator(), false)
                .map(label -> label.asString("").strip())
                .filter(label -> label.equals(LABEL) || label.startsWith(LABEL + "/"))
                .map(label -> label.equals(LABEL) ? "" : label.substring(LABEL.length() + 1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(" "));
        boolean offered = StreamSupport.stream(experiment.path("labels").spliterator(), false)
                .anyMatch(label -> label.asString("").strip().equals(LABEL));
        return offered ? JobAnnotation.read(LABEL + " " + said, FURTHER) : JobAnnotation.NONE;
    }

    /**
     * An experiment as a job.
     *
     * @param experiment its row
     * @param config its configuration; missing in lists
     */
    static PlatformJob read(JsonNode experiment, JsonNode config, Tasks tasks) {
        String id = Integer.toString(experiment.path("id").asInt());
        Notes notes = Notes.read(experiment.path("notes").asString(""));
        JobPlacement held = tasks.held(id);
        String pool = text(config.path("resources"), "resource_pool", text(experiment, "resourcePool", "none"));
        int slots = config.path("resources").path("slots_per_trial").asInt(tasks.needed(id));
        int priority = tasks.priority(id)
                .orElse(config.path("resources").path("priority").asInt(USUAL_PRIORITY));
        return new PlatformJob(
                id,
                text(experiment, "name", "unnamed"),
                text(experiment, "username", "unknown"),
                pool,
                state(experiment, config, notes, held),
                new Size(slots, Math.max(1, held.slots().size())),
                1,
                slots > 0 ? JobPlacement.of(Map.of(pool, slots)) : JobPlacement.NONE,
                held,
                LEAST_URGENT - priority,
                time(text(experiment, "startTime", "")),
                Optional.empty(),
                words(experiment),
                notes.mark(),
                unsupportedReason(experiment, config),
                new PlatformJob.Training(progress(experiment), tasks.run(id), key(config)));
    }

    /** The key that its owner has put into its environment, by which its processes speak to Spur. */
    private static Optional<String> key(JsonNode config) {
        JsonNode variables = config.path("environment").path("environment_variables");
        // plain as it is written, by type of slots once the master has filled in what it does not say
        return Stream.of(variables, variables.path("cuda"), variables.path("rocm"))
                .flatMap(list -> StreamSupport.stream(list.spliterator(), false))
                .map(variable -> variable.asString(""))
                .filter(variable -> variable.startsWith(KEY))
                .map(variable -> variable.substring(KEY.length()).strip().toLowerCase(Locale.ROOT))
                .filter(key -> UUID.matcher(key).matches())
                .findFirst();
    }

    /**
     * The share that is done. 0 says nothing: the master sets it so when an experiment is continued, however far that
     * is.
     */
    private static Optional<Double> progress(JsonNode experiment) {
        return Optional.of(experiment.path("progress").asDouble(0))
                .filter(share -> share > 0)
                .map(share -> Math.min(1, share));
    }

    /** The priority there that is {@code priority} here. */
    static int urgency(long priority) {
        return (int) Math.max(1, Math.min(LEAST_URGENT - 1, LEAST_URGENT - priority));
    }

    private static State state(JsonNode experiment, JsonNode config, Notes notes, JobPlacement held) {
        boolean free = held.isNowhere();
        return switch (text(experiment, "state", "")) {
            case "STATE_PAUSED" -> free ? State.HELD : State.STOPPING;
            case "STATE_STOPPING_COMPLETED",
                    "STATE_STOPPING_CANCELED",
                    "STATE_STOPPING_ERROR",
                    "STATE_STOPPING_KILLED" -> State.STOPPING;
            case "STATE_COMPLETED" -> State.DONE;
            case "STATE_CANCELED" -> isParked(experiment, config, notes) ? State.HELD : State.CANCELLED;
            case "STATE_DELETED", "STATE_DELETING", "STATE_DELETE_FAILED", "STATE_PARTIALLY_DELETED" -> State.CANCELLED;
            case "STATE_ERROR" -> State.FAILED;
            default -> free ? State.WAITING : State.RUNNING;
        };
    }

    /** True if Spur cancelled it to continue it, and has not yet. */
    static boolean isParked(JsonNode experiment, JsonNode config, Notes notes) {
        return text(experiment, "state", "").equals("STATE_CANCELED")
                && !experiment.path("archived").asBoolean(false)
                && notes.continuation().isPresent()
                && notes.continuation().getAsInt() > continued(config);
    }

    /** How often Spur has continued it. */
    static int continued(JsonNode config) {
        return config.path("data").path(CONTINUED).asInt(0);
    }

    private static Optional<String> unsupportedReason(JsonNode experiment, JsonNode config) {
        if (experiment.path("unmanaged").asBoolean(false)) {
            return Optional.of("it runs outside of Determined");
        }
        if (experiment.path("archived").asBoolean(false)) {
            return Optional.of("it is archived");
        }
        if (words(experiment).signal().isPresent()) {
            return Optional.of("Determined asks for checkpoints by itself, without a signal");
        }
        if (!config.isObject()) {
            return Optional.empty();
        }
        JobAnnotation words = words(experiment);
        if ((words.has("gradients") || words.has("aggregation")) && key(config).isEmpty()) {
            return Optional.of("aggregators need SPUR_JOB_KEY, a UUID, in its environment_variables");
        }
        if (!text(config.path("searcher"), "name", "").equals("single")) {
            return Optional.of("it is a search over several trials");
        }
        int slots = config.path("resources").path("slots_per_trial").asInt(0);
        if (slots < 1) {
            return Optional.of("it asks for no slots");
        }
        return isResizable(words, slots) && !keepsLatestCheckpoint(config)
                ? Optional.of(LOSES_CHECKPOINT)
                : Optional.empty();
    }

    private static boolean isResizable(JobAnnotation words, int slots) {
        return words.range("gpus")
                .filter(range -> range.min() != slots || range.max() != slots)
                .isPresent();
    }

    /** False if Determined deletes the latest checkpoint when the experiment ends. */
    static boolean keepsLatestCheckpoint(JsonNode config) {
        return config.path("checkpoint_storage").path("save_trial_latest").asInt(1) > 0;
    }

    /** Differs for each end of an experiment. */
    static String ending(JsonNode row) {
        return "%s/%s/%s"
                .formatted(
                        row.path("id").asInt(),
                        row.path("state").asString(""),
                        row.path("endTime").asString(""));
    }

    static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException none) {
            return Instant.EPOCH;
        }
    }

    static String text(JsonNode row, String member, String otherwise) {
        String text = row.path(member).asString("");
        return text.isBlank() ? otherwise : text;
    }
}
