package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Slots that the platform shows as free, less those that are promised already. */
interface FreeCapacity {
    /** Actions that may begin, in the order in which they are to ask for room. */
    default List<JobAction> inOrder(List<JobAction> actions) {
        return actions;
    }

    /** True if {@code job} can have what {@code action} gives it, once it has given up what it holds. */
    boolean has(JobAction action, PlatformJob job);

    /** Promises {@code action} its slots. What its job holds is counted as free only once it is. */
    void promise(JobAction action, PlatformJob job);

    /** True if all of {@code blocked} fit at once when each of their jobs gives up what it holds. */
    boolean hasForAll(Collection<JobAction> blocked, PlatformObservation seen);

    /**
     * The stop of a job that steps aside, where nothing else can begin: jobs that wait for nothing but each other's
     * slots, for example.
     *
     * @param blocked what cannot begin for want of room
     */
    default Optional<JobAction> makeWay(List<JobAction> blocked, PlatformObservation seen) {
        List<JobAction> runners = blocked.stream().filter(a -> a.kind().runs()).toList();
        if (runners.isEmpty() || !hasForAll(runners, seen)) {
            return Optional.empty();
        }
        return runners.stream()
                .filter(action -> seen.of(action).state() == State.RUNNING)
                .map(action -> JobAction.stop(action.revision(), action.job()))
                .findFirst();
    }
}
