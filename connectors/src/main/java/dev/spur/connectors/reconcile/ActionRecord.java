package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Execution state of an action.
 *
 * @param action the action
 * @param state whether the action is open, or how it ended
 * @param step most recently requested step; null before the first
 * @param deadline deadline for the effect of that step; without a step, deadline for the permission of a denied
 *     request, or null; for a cancellation that is not open, the time of the next attempt
 * @param failures number of failed verifications
 * @param detail latest outcome, as text
 */
public record ActionRecord(
        JobAction action,
        State state,
        @Nullable Step step,
        @Nullable Instant deadline,
        int failures,
        String detail) {
    /** State of an action. */
    public enum State {
        /** In progress. */
        OPEN,
        /** Verified on the platform. */
        DONE,
        /** Accepted by the platform without effect on every attempt. */
        FAILED,
        /** Rejected by the platform. */
        REFUSED,
        /** Superseded by a newer plan. */
        SUPERSEDED,
        /** The job ended during the action. */
        JOB_ENDED
    }

    /** Creates the record of an action that has not started. */
    public static ActionRecord open(JobAction action) {
        return new ActionRecord(action, State.OPEN, null, null, 0, "begun");
    }

    ActionRecord withStep(Step next, Instant until, String what) {
        return new ActionRecord(action, State.OPEN, next, until, failures, what);
    }

    /** Returns a copy whose next request is due, and which is abandoned at {@code until}. */
    ActionRecord deniedUntil(Instant until, String what) {
        return new ActionRecord(action, State.OPEN, null, until, failures, what);
    }

    /** Returns a closed copy whose action may begin again at {@code again}. */
    ActionRecord closeUntil(Instant again, State how, String what) {
        return new ActionRecord(action, how, step, again, failures, what);
    }

    ActionRecord failedOnce(String what) {
        return new ActionRecord(action, State.OPEN, null, null, failures + 1, what);
    }

    ActionRecord close(State how, String what) {
        return new ActionRecord(action, how, step, deadline, failures, what);
    }
}
