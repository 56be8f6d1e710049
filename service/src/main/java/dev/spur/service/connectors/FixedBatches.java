package dev.spur.service.connectors;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.reconcile.PlatformObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Jobs whose owners state several batch sizes, or their efficiency, but which are planned with the first one only. Jobs
 * with host levels are planned with that of speed 1 only.
 */
final class FixedBatches {
    /** Number of job ids in a note. */
    private static final int NAMED = 10;

    private static final String BATCH = "batch size of %s%s stays the first one: %s";

    private FixedBatches() {}

    /** Returns a note for each cause: the missing option, and a control level that does not restart jobs. */
    static List<String> notes(PlatformObservation seen, ControlLevel controlLevel) {
        List<String> notes = new ArrayList<>();
        add(
                notes,
                seen,
                BATCH,
                job -> statesSeveral(job.annotation()) && !job.annotation().has(JobAnnotation.ELASTIC_BATCH),
                "the program is not known to start with the planned batch: add the option elastic-batch if it does");
        if (controlLevel != ControlLevel.RESIZE) {
            String cause =
                    "the control level is %s, and only RESIZE restarts jobs with another one".formatted(controlLevel);
            add(notes, seen, BATCH, job -> job.annotation().has(JobAnnotation.ELASTIC_BATCH), cause);
            add(notes, seen, "host level of %s%s stays that of speed 1: %s", PlatformJob::hasHostLevels, cause);
        }
        return notes;
    }

    /** @param form form of the note, with the ids of the first jobs, the number of others, and the cause */
    private static void add(
            List<String> notes, PlatformObservation seen, String form, Predicate<PlatformJob> fixed, String cause) {
        List<String> ids = seen.jobs().values().stream()
                .filter(job -> job.isOffered() && !job.state().hasEnded() && fixed.test(job))
                .map(PlatformJob::id)
                .toList();
        if (!ids.isEmpty()) {
            String named = String.join(", ", ids.subList(0, Math.min(NAMED, ids.size())));
            String more = ids.size() > NAMED ? " and %d more".formatted(ids.size() - NAMED) : "";
            notes.add(form.formatted(named, more, cause));
        }
    }

    private static boolean statesSeveral(JobAnnotation annotation) {
        return annotation.has("noise")
                || annotation.has("efficiency")
                || annotation
                        .range("batch")
                        .filter(range -> range.min() < range.max())
                        .isPresent();
    }
}
