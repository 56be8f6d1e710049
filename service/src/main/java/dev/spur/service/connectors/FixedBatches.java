package dev.spur.service.connectors;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.reconcile.PlatformObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Jobs whose owners state several batch sizes, or their efficiency, but which are planned with the first one only. */
final class FixedBatches {
    /** Number of job ids in a note. */
    private static final int NAMED = 10;

    private FixedBatches() {}

    /** Returns a note for each cause: the missing option, and a control level that does not restart jobs. */
    static List<String> notes(PlatformObservation seen, ControlLevel controlLevel) {
        List<String> notes = new ArrayList<>();
        add(
                notes,
                seen,
                job -> statesSeveral(job.annotation()) && !job.annotation().has(JobAnnotation.ELASTIC_BATCH),
                "the program is not known to start with the planned batch: add the option elastic-batch if it does");
        if (controlLevel != ControlLevel.RESIZE) {
            add(
                    notes,
                    seen,
                    job -> job.annotation().has(JobAnnotation.ELASTIC_BATCH),
                    "the control level is %s, and only RESIZE restarts jobs with another one".formatted(controlLevel));
        }
        return notes;
    }

    private static void add(List<String> notes, PlatformObservation seen, Predicate<PlatformJob> fixed, String cause) {
        List<String> ids = seen.jobs().values().stream()
                .filter(job -> job.isOffered() && !job.state().hasEnded() && fixed.test(job))
                .map(PlatformJob::id)
                .toList();
        if (!ids.isEmpty()) {
            String named = String.join(", ", ids.subList(0, Math.min(NAMED, ids.size())));
            String more = ids.size() > NAMED ? " and %d more".formatted(ids.size() - NAMED) : "";
            notes.add("batch size of %s%s stays the first one: %s".formatted(named, more, cause));
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
