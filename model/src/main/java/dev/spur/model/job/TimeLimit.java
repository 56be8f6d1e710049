package dev.spur.model.job;

import dev.spur.model.Checks;
import java.util.Objects;

/**
 * The maximum run time of a job.
 *
 * @param seconds maximum of the seconds with slots, above 0
 * @param per starts that the seconds are counted over; all of the job if absent in a file
 * @param onLimit what the limit does, {@code END} if absent in a file; {@code REQUEUE} requires {@code START}
 */
public record TimeLimit(double seconds, Span per, Action onLimit) {
    /** Maximum of {@link #seconds}. */
    public static final double MAX_SECONDS = 1e9;

    public TimeLimit {
        per = Objects.requireNonNullElse(per, Span.JOB);
        onLimit = Objects.requireNonNullElse(onLimit, Action.END);
        Checks.positive("seconds", seconds);
        Checks.require(seconds <= MAX_SECONDS, "seconds (%s) must be at most %s", seconds, MAX_SECONDS);
        Checks.require(
                onLimit != Action.REQUEUE || per == Span.START,
                "onLimit (%s) requires per to be START: after the limit of all starts the job cannot start again",
                onLimit);
    }

    /** Time over which a limit counts. */
    public enum Span {
        /** All starts of the job together. */
        JOB,
        /** Each start of its own. */
        START
    }

    /** Effect of a limit. Both effects stop the processes in the same way, after a notice. */
    public enum Action {
        /** The job ends. */
        END,
        /** The job waits again, and continues from its checkpoint. */
        REQUEUE
    }

    /** Returns the seconds left, at least 0, after the seconds of all starts and of the current one. */
    public double secondsLeft(double runSeconds, double startSeconds) {
        return Math.max(0, seconds - (per == Span.JOB ? runSeconds : startSeconds));
    }

    /** Returns the limit in words, such as {@code 4:00:00 for each start}. */
    public String describe() {
        return text(seconds) + (per == Span.START ? " for each start" : "");
    }

    /** Returns {@code seconds} as hours, minutes and seconds, such as {@code 4:00:00}. */
    public static String text(double seconds) {
        long whole = Math.round(seconds);
        return "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** Returns the limit of all starts of a job, which ends it. */
    public static TimeLimit ofJob(double seconds) {
        return new TimeLimit(seconds, Span.JOB, Action.END);
    }

    /** Returns the limit of each start, which ends the job, as Slurm and Kubernetes have it. */
    public static TimeLimit ofStart(double seconds) {
        return new TimeLimit(seconds, Span.START, Action.END);
    }
}
