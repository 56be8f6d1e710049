package dev.spur.connectors.reconcile;

import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whose jobs are. A job that shows something else than Spur last wrote on it, while Spur is not working on it, was
 * changed by a person, and persons win: it is left alone until it shows again what Spur wrote, or the mark is taken
 * off.
 */
final class OwnershipCheck {
    private final ActionLog log;

    OwnershipCheck(ActionLog log) {
        this.log = log;
    }

    /** Jobs that persons have taken over, by id, and what was seen. */
    Map<String, String> manuallyOverridden(PlatformObservation seen) {
        Map<String, String> taken = new TreeMap<>();
        for (PlatformJob job : seen.jobs().values()) {
            Optional<LastAppliedState> mark = job.mark();
            if (mark.isPresent() && !job.matches(mark.get()) && isSettled(job)) {
                taken.put(
                        job.id(),
                        "Spur wrote \"%s\", and it is %s".formatted(mark.get().text(), words(job)));
            }
        }
        return taken;
    }

    private boolean isSettled(PlatformJob job) {
        return log.lastOf(job.id())
                .map(last -> last.state() == ActionRecord.State.DONE)
                .orElse(true);
    }

    private static String words(PlatformJob job) {
        return switch (job.state()) {
            case RUNNING -> "RUNNING on " + job.held().slots();
            case WAITING ->
                "WAITING for "
                        + (job.pinned().isNowhere() ? "any nodes" : job.pinned().slots());
            default -> job.state().toString();
        };
    }
}
