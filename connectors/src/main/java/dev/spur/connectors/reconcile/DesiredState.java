package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobPlacement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a plan wants of a platform. Jobs that are not named are nobody's business here.
 *
 * @param revision revision of the plan
 * @param wants by id of the job on the platform, in the order of the plan: who is to run, then who is next
 * @param notYet jobs that are not to be started yet: something that they need is still missing
 */
public record DesiredState(long revision, Map<String, DesiredJob> wants, Set<String> notYet) {
    public DesiredState {
        wants = Collections.unmodifiableMap(new LinkedHashMap<>(wants));
        notYet = Set.copyOf(notYet);
    }

    /** What is wanted, all of which may begin now. */
    public DesiredState(long revision, Map<String, DesiredJob> wants) {
        this(revision, wants, Set.of());
    }

    /** What is wanted of a job. */
    public sealed interface DesiredJob {
        /** It is to run, there. */
        record Run(JobPlacement placement) implements DesiredJob {}

        /** It is to wait. */
        record Wait() implements DesiredJob {}

        /** It is to end: somebody called it off. */
        record End() implements DesiredJob {}
    }
}
