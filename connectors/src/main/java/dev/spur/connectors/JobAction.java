package dev.spur.connectors;

import java.util.Locale;

/**
 * A change of one job that a plan asks for.
 *
 * @param revision revision of the plan
 * @param job id of the job on the platform
 * @param kind what is done
 * @param placement where the job is to run afterwards; nowhere if it is not to run
 * @param priority for {@link Kind#ORDER}: the job's priority afterwards; otherwise 0
 */
public record JobAction(long revision, String job, Kind kind, JobPlacement placement, long priority) {
    public JobAction {
        ArgumentChecks.named("job", job);
        ArgumentChecks.require(
                kind.runs() != placement.isNowhere(),
                "%s of job %s does not go with %s".formatted(kind, job, placement.slots()));
    }

    /** The end of a job's run. */
    public static JobAction stop(long revision, String job) {
        return new JobAction(revision, job, Kind.STOP, JobPlacement.NONE, 0);
    }

    /** What is done with a job. The order is that in which changes are begun: what frees slots comes first. */
    public enum Kind {
        /** Call it off. */
        CANCEL,
        /** Keep it from starting. */
        HOLD,
        /** End its run and hold it. */
        STOP,
        /** Run it on a part of the slots that it has. */
        SHRINK,
        /** Run it elsewhere, on as many slots or fewer. */
        MOVE,
        /** Run it on more slots. */
        GROW,
        /** Let it start. */
        START,
        /** Change its place in the queue. */
        ORDER;

        /** True if the job is to run afterwards. */
        public boolean runs() {
            return this == SHRINK || this == MOVE || this == GROW || this == START;
        }

        /** True if a job that runs is interrupted. */
        public boolean interrupts() {
            return this == STOP || this == SHRINK || this == MOVE || this == GROW;
        }

        /** The lowest control level that allows it. */
        public ControlLevel least() {
            return switch (this) {
                case ORDER -> ControlLevel.PRIORITIZE;
                case CANCEL, HOLD, STOP, START -> ControlLevel.ADMIT;
                case SHRINK, MOVE, GROW -> ControlLevel.RESIZE;
            };
        }
    }

    /** One name for the action in all attempts and after every restart: the same plan never asks for it twice. */
    public String id() {
        return "%d/%s/%s".formatted(revision, job, kind.name().toLowerCase(Locale.ROOT));
    }
}
