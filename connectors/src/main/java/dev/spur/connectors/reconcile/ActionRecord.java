package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An action and how far it is.
 *
 * @param action the action
 * @param state whether it is open, and how it ended
 * @param step the step that was asked for last; null before the first
 * @param patientUntil by when that step is to be seen; null without a step
 * @param failures how often a step was not seen
 * @param detail the last that is known of it, for people
 */
public record ActionRecord(
        JobAction action,
        State state,
        @Nullable Step step,
        @Nullable Instant patientUntil,
        int failures,
        String detail) {
    /** Whether an action is open, and how it ended. */
    public enum State {
        /** It is meant to be done, or is being done. */
        OPEN,
        /** The platform shows it. */
        DONE,
        /** The platform does not show it, however often it was asked. */
        FAILED,
        /** The platform does not allow it. */
        REFUSED,
        /** A newer plan wants something else. */
        SUPERSEDED,
        /** The job ended meanwhile. */
        JOB_ENDED
    }

    /** An action that is about to be begun. */
    public static ActionRecord begun(JobAction action) {
        return new ActionRecord(action, State.OPEN, null, null, 0, "begun");
    }

    ActionRecord asked(Step next, Instant until, String what) {
        return new ActionRecord(action, State.OPEN, next, until, failures, what);
    }

    ActionRecord failedOnce(String what) {
        return new ActionRecord(action, State.OPEN, null, null, failures + 1, what);
    }

    ActionRecord closed(State how, String what) {
        return new ActionRecord(action, how, step, patientUntil, failures, what);
    }
}
