package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.List;

/**
 * Slots of one pool and accelerator type that a plan leaves idle for the same reason.
 *
 * @param nodes ids of their nodes, in the order of the problem
 * @param slots number of the slots, at least 1
 * @param reason the reason of the nodes, or the most frequent reason of the jobs that could use the slots
 * @param jobs the jobs that accept the type and do not use the slots, by reason, the most frequent first; empty where
 *     the nodes are the reason
 * @param message the reason as sentences for users
 */
public record IdleSlots(
        String pool,
        String acceleratorType,
        List<String> nodes,
        int slots,
        IdleReason reason,
        List<IdleCause> jobs,
        String message) {
    public IdleSlots {
        nodes = Checks.copy(nodes);
        jobs = Checks.copy(jobs);
        Checks.atLeast("slots", slots, 1);
    }

    /**
     * Jobs that do not use idle slots for the same reason.
     *
     * @param count number of the jobs, at least 1
     * @param jobId the first of them, in the order of the problem
     */
    public record IdleCause(IdleReason reason, int count, String jobId) {
        public IdleCause {
            Checks.atLeast("count", count, 1);
        }
    }
}
