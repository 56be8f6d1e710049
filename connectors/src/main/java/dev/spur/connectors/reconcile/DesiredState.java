package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Desired state of a platform. Jobs that it does not contain are not managed.
 *
 * @param revision revision of the plan
 * @param wants desired state by job id, in the order of the plan: jobs to run, then waiting jobs
 * @param blocked jobs that must not start yet, because a dependency is incomplete
 */
public record DesiredState(long revision, Map<String, DesiredJob> wants, Set<String> blocked) {
    public DesiredState {
        wants = Collections.unmodifiableMap(new LinkedHashMap<>(wants));
        blocked = Set.copyOf(blocked);
    }

    /** Creates a desired state whose jobs may all start. */
    public DesiredState(long revision, Map<String, DesiredJob> wants) {
        this(revision, wants, Set.of());
    }

    /**
     * Returns this state with a batch size only for those jobs of {@code observed} that read it at their start. Only
     * jobs with host levels have host resources.
     */
    DesiredState asReadBy(PlatformObservation observed) {
        Map<String, DesiredJob> sent = new LinkedHashMap<>();
        wants.forEach((id, want) ->
                sent.put(id, want instanceof DesiredJob.Run run ? run.asReadBy(observed.job(id)) : want));
        return new DesiredState(revision, sent, blocked);
    }

    /** Desired state of a job. */
    public sealed interface DesiredJob {
        /** The job runs with a placement. */
        record Run(JobPlacement placement) implements DesiredJob {
            private Run asReadBy(Optional<PlatformJob> job) {
                boolean readsBatch = job.filter(PlatformJob::readsBatch).isPresent();
                boolean hasHostLevels = job.filter(PlatformJob::hasHostLevels).isPresent();
                return new Run(placement
                        .withBatch(readsBatch ? placement.batch() : null)
                        .withHost(hasHostLevels ? placement.host() : null));
            }
        }

        /** The job waits. */
        record Wait() implements DesiredJob {}

        /** The job ends, because it was canceled. */
        record End() implements DesiredJob {}
    }
}
