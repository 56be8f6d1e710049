package dev.spur.connectors;

import java.util.Locale;

/**
 * A change of one job that a plan requires.
 *
 * @param revision revision of the plan
 * @param job id of the job on the platform
 * @param kind kind of the change
 * @param placement placement of the job after the action; {@link JobPlacement#NONE} if the job does not run
 * @param priority priority of the job after {@link Kind#ORDER}; otherwise 0
 */
public record JobAction(long revision, String job, Kind kind, JobPlacement placement, long priority) {
    public JobAction {
        ArgumentChecks.requireNonBlank("job", job);
        ArgumentChecks.require(
                kind.runs() != placement.isNowhere(),
                "action %s of job %s is inconsistent with placement %s".formatted(kind, job, placement.slots()));
    }

    /** Creates an action that stops a job. */
    public static JobAction stop(long revision, String job) {
        return new JobAction(revision, job, Kind.STOP, JobPlacement.NONE, 0);
    }

    /** Kind of a change. Actions run in this order, so that those which release slots come first. */
    public enum Kind {
        /** Cancel the job. */
        CANCEL,
        /** Prevent the job from starting. */
        HOLD,
        /** Stop the running job and hold it. */
        STOP,
        /**
         * Restart a running job on a part of its slots, or on all of them with another batch size or host resources.
         */
        SHRINK,
        /** Move a running job to other slots, at most as many as before. */
        MOVE,
        /** Extend a running job to more slots. */
        GROW,
        /** Permit the job to start. */
        START,
        /** Change the priority of the job in the queue. */
        ORDER;

        /** Returns true if the job runs after the action. */
        public boolean runs() {
            return this == SHRINK || this == MOVE || this == GROW || this == START;
        }

        /** Returns true if the action interrupts a running job. */
        public boolean interrupts() {
            return this == STOP || this == SHRINK || this == MOVE || this == GROW;
        }

        /** Returns the lowest control level that permits the action. */
        public ControlLevel minControlLevel() {
            return switch (this) {
                case ORDER -> ControlLevel.PRIORITIZE;
                case CANCEL, HOLD, STOP, START -> ControlLevel.ADMIT;
                case SHRINK, MOVE, GROW -> ControlLevel.RESIZE;
            };
        }
    }

    /**
     * Returns the idempotency key of the action. It is the same for every attempt and after every restart, so that a
     * plan never requests an action twice.
     */
    public String id() {
        return "%d/%s/%s".formatted(revision, job, kind.name().toLowerCase(Locale.ROOT));
    }
}
