package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Slots that the platform reports as free, less those reserved by started actions. */
interface FreeCapacity {
    /** Returns the startable actions in the order in which they reserve capacity. */
    default List<JobAction> inOrder(List<JobAction> actions) {
        return actions;
    }

    /** Returns true if the slots of {@code action} are free after {@code job} has released its own. */
    boolean has(JobAction action, PlatformJob job);

    /** Reserves the slots of {@code action}. The slots that the job still holds do not become free. */
    void reserve(JobAction action, PlatformJob job);

    /** Returns true if all {@code blocked} actions fit at once after each of their jobs has released its slots. */
    boolean fitsAll(Collection<JobAction> blocked, PlatformObservation observed);

    /**
     * Returns an action that stops a job when no other action can start, for example because jobs wait for each other's
     * slots.
     *
     * @param blocked actions that lack free slots
     */
    default Optional<JobAction> stopForDefragmentation(List<JobAction> blocked, PlatformObservation observed) {
        List<JobAction> runners = blocked.stream().filter(a -> a.kind().runs()).toList();
        if (runners.isEmpty() || !fitsAll(runners, observed)) {
            return Optional.empty();
        }
        return runners.stream()
                .filter(action -> observed.of(action).state() == State.RUNNING)
                .map(action -> JobAction.stop(action.revision(), action.job()))
                .findFirst();
    }
}
