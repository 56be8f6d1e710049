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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Parses the experiments listed by the master. */
final class ExperimentReader {
    /** Label by which the owner offers an experiment to Spur. */
    static final String LABEL = "spur";

    /** Additional settings of Determined: the permitted pools, and the aggregation settings. */
    private static final Set<String> ADDITIONAL_SETTINGS = Set.of("pools", "gradients", "aggregation", "speeds");

    /** Hyperparameter with the global batch size. */
    static final String BATCH = "global_batch_size";

    private static final String KEY = "SPUR_JOB_KEY=";
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** Member of the configuration's data that counts the continuations by Spur. */
    static final String CONTINUED = "spur_continued";

    /** Priority if neither the job nor its pool sets one. */
    private static final int DEFAULT_PRIORITY = 42;

    private static final int LOWEST_PRIORITY = 100;

    /** Reason why an experiment that deletes its latest checkpoint at its end cannot be resized. */
    static final String LOSES_CHECKPOINT =
            "checkpoint_storage.save_trial_latest is 0, so the end of the experiment at a resize"
                    + " deletes its latest checkpoint: set it to at least 1, or remove the labels spur/gpus and spur/elastic-batch";

    private ExperimentReader() {}

    /** Returns true if the labels offer the experiment to Spur. */
    static boolean isOffered(JsonNode experiment) {
        return annotation(experiment).offered();
    }

    /** Reads the annotation from the labels: {@code spur}, and {@code spur/NAME=VALUE} for each setting. */
    private static JobAnnotation annotation(JsonNode experiment) {
        String labels = StreamSupport.stream(experiment.path("labels").spliterator(), false)
                .map(label -> label.asString("").strip())
                .filter(label -> label.equals(LABEL) || label.startsWith(LABEL + "/"))
                .map(label -> label.equals(LABEL) ? "" : label.substring(LABEL.length() + 1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(" "));
        boolean offered = StreamSupport.stream(experiment.path("labels").spliterator(), false)
                .anyMatch(label -> label.asString("").strip().equals(LABEL));
        return offered ? JobAnnotation.read(LABEL + " " + labels, ADDITIONAL_SETTINGS) : JobAnnotation.NONE;
    }

    /**
     * Converts an experiment into a job.
     *
     * @param experiment row of the experiment
     * @param config its configuration; missing in lists
     */
    static PlatformJob read(JsonNode experiment, JsonNode config, Tasks tasks) {
        String id = Integer.toString(experiment.path("id").asInt());
        Notes notes = Notes.read(experiment.path("notes").asString(""));
        Integer batch = readsBatch(experiment, notes) ? batch(config) : null;
        JobPlacement held = tasks.placement(id).withBatch(batch);
        String pool = text(config.path("resources"), "resource_pool", text(experiment, "resourcePool", "none"));
        int slots = config.path("resources").path("slots_per_trial").asInt(tasks.neededSlots(id));
        int priority = tasks.priority(id)
                .orElse(config.path("resources").path("priority").asInt(DEFAULT_PRIORITY));
        return new PlatformJob(
                id,
                text(experiment, "name", "unnamed"),
                text(experiment, "username", "unknown"),
                pool,
                state(experiment, config, notes, held),
                new Size(slots, Math.max(1, held.slots().size())),
                1,
                slots > 0 ? JobPlacement.of(Map.of(pool, slots)).withBatch(batch) : JobPlacement.NONE,
                held,
                LOWEST_PRIORITY - priority,
                time(text(experiment, "startTime", "")),
                Optional.empty(),
                annotation(experiment).withDefault("batch", statedBatch(experiment, config)),
                notes.mark(),
                unsupportedReason(experiment, config),
                new PlatformJob.Training(progress(experiment), tasks.run(id), key(config), failure(experiment)),
                PlatformJob.NodeSelection.ANY);
    }

    private static boolean readsBatch(JsonNode experiment, Notes notes) {
        return annotation(experiment).has(JobAnnotation.ELASTIC_BATCH) || PlatformJob.batch(notes.mark()) != null;
    }

    /** Returns the constant hyperparameter {@link #BATCH}; null if there is none. */
    static @Nullable Integer batch(JsonNode config) {
        JsonNode stated = config.path("hyperparameters").path(BATCH);
        int size = stated.isObject() ? stated.path("val").asInt(0) : stated.asInt(0);
        return size > 0 ? size : null;
    }

    /** Returns the hyperparameter {@link #BATCH} of a job that states a family or speeds. */
    private static Optional<String> statedBatch(JsonNode experiment, JsonNode config) {
        JobAnnotation annotation = annotation(experiment);
        return annotation.has("family") || annotation.has("speeds")
                ? Optional.ofNullable(batch(config)).map(Object::toString)
                : Optional.empty();
    }

    /** The master reports no cause: it is in the logs of the trial. */
    private static Optional<PlatformJob.Failure> failure(JsonNode experiment) {
        return text(experiment, "state", "").equals("STATE_ERROR")
                ? Optional.of(new PlatformJob.Failure(
                        Optional.empty(), "the experiment is in STATE_ERROR; the logs of its trial state the cause"))
                : Optional.empty();
    }

    /** Returns the key that the owner set in the environment, by which the job's processes authenticate to Spur. */
    private static Optional<String> key(JsonNode config) {
        JsonNode variables = config.path("environment").path("environment_variables");
        // a list if written by the owner, or a map by slot type after the master has filled in its defaults
        return Stream.of(variables, variables.path("cuda"), variables.path("rocm"))
                .flatMap(list -> StreamSupport.stream(list.spliterator(), false))
                .map(variable -> variable.asString(""))
                .filter(variable -> variable.startsWith(KEY))
                .map(variable -> variable.substring(KEY.length()).strip().toLowerCase(Locale.ROOT))
                .filter(key -> UUID.matcher(key).matches())
                .findFirst();
    }

    /**
     * Returns the completed fraction. 0 means unknown, because the master resets the value when an experiment is
     * continued.
     */
    private static Optional<Double> progress(JsonNode experiment) {
        return Optional.of(experiment.path("progress").asDouble(0))
                .filter(share -> share > 0)
                .map(share -> Math.min(1, share));
    }

    /** Converts a priority of Spur into one of Determined. */
    static int toDeterminedPriority(long priority) {
        return (int) Math.max(1, Math.min(LOWEST_PRIORITY - 1, LOWEST_PRIORITY - priority));
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
            case "STATE_CANCELED" -> waitsForActivation(experiment, config, notes) ? State.HELD : State.CANCELLED;
            case "STATE_DELETED", "STATE_DELETING", "STATE_DELETE_FAILED", "STATE_PARTIALLY_DELETED" -> State.CANCELLED;
            case "STATE_ERROR" -> State.FAILED;
            default -> free ? State.WAITING : State.RUNNING;
        };
    }

    /** Returns true if Spur canceled the experiment in order to continue it, and has not continued it yet. */
    static boolean waitsForActivation(JsonNode experiment, JsonNode config, Notes notes) {
        return text(experiment, "state", "").equals("STATE_CANCELED")
                && !experiment.path("archived").asBoolean(false)
                && notes.continuation().isPresent()
                && notes.continuation().getAsInt() > continuations(config);
    }

    /** Returns the number of continuations by Spur. */
    static int continuations(JsonNode config) {
        return config.path("data").path(CONTINUED).asInt(0);
    }

    private static Optional<String> unsupportedReason(JsonNode experiment, JsonNode config) {
        if (experiment.path("unmanaged").asBoolean(false)) {
            return Optional.of("it runs outside Determined");
        }
        if (experiment.path("archived").asBoolean(false)) {
            return Optional.of("it is archived");
        }
        if (annotation(experiment).signal().isPresent()) {
            return Optional.of("the setting signal is not supported: Determined requests checkpoints itself");
        }
        if (!config.isObject()) {
            return Optional.empty();
        }
        JobAnnotation annotation = annotation(experiment);
        if ((annotation.has("gradients") || annotation.has("aggregation"))
                && key(config).isEmpty()) {
            return Optional.of("aggregation requires SPUR_JOB_KEY with a UUID in environment_variables");
        }
        boolean elastic = annotation.has(JobAnnotation.ELASTIC_BATCH);
        if (elastic && batch(config) == null) {
            return Optional.of("elastic-batch requires the constant hyperparameter %s of at least 1".formatted(BATCH));
        }
        if (!text(config.path("searcher"), "name", "").equals("single")) {
            return Optional.of("experiments with more than one trial are not supported");
        }
        int slots = config.path("resources").path("slots_per_trial").asInt(0);
        if (slots < 1) {
            return Optional.of("it requests no slots");
        }
        return (elastic || isResizable(annotation, slots)) && !keepsLatestCheckpoint(config)
                ? Optional.of(LOSES_CHECKPOINT)
                : Optional.empty();
    }

    private static boolean isResizable(JobAnnotation annotation, int slots) {
        return annotation
                .range("gpus")
                .filter(range -> range.min() != slots || range.max() != slots)
                .isPresent();
    }

    /** Returns false if Determined deletes the latest checkpoint when the experiment ends. */
    static boolean keepsLatestCheckpoint(JsonNode config) {
        return config.path("checkpoint_storage").path("save_trial_latest").asInt(1) > 0;
    }

    /** Returns a key that differs for each end of an experiment. */
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
