package dev.spur.connectors.reconcile;

import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Detection of manual overrides. A job was changed manually if it differs from its last-applied state while no action
 * of Spur is open. Spur does not control it until it matches that state again or the stored state is removed.
 */
final class OwnershipCheck {
    private final ActionLog log;

    OwnershipCheck(ActionLog log) {
        this.log = log;
    }

    /** Returns the manually overridden jobs by id, with the observed difference. */
    Map<String, String> manuallyOverridden(PlatformObservation observed) {
        Map<String, String> taken = new TreeMap<>();
        for (PlatformJob job : observed.jobs().values()) {
            Optional<LastAppliedState> mark = job.mark();
            if (mark.isPresent() && !job.matches(mark.get()) && isSettled(job)) {
                taken.put(
                        job.id(),
                        "Spur applied \"%s\" but the job is %s"
                                .formatted(mark.get().text(), describe(job)));
            }
        }
        return taken;
    }

    private boolean isSettled(PlatformJob job) {
        return log.lastOf(job.id())
                .map(last -> last.state() == ActionRecord.State.DONE)
                .orElse(true);
    }

    private static String describe(PlatformJob job) {
        return switch (job.state()) {
            case RUNNING -> "RUNNING on " + job.held().slots();
            case WAITING ->
                "WAITING for "
                        + (job.pinned().isNowhere() ? "any node" : job.pinned().slots());
            default -> job.state().toString();
        };
    }
}
