package dev.spur.connectors;

import java.time.Instant;
import java.util.Optional;

/**
 * A job as its platform shows it.
 *
 * @param id its id there
 * @param name its name for people
 * @param owner who submitted it
 * @param pool the group of nodes that it is for
 * @param state where it is in its life
 * @param asked its size: slots in all and nodes, as it was last asked for
 * @param unit slots that come and go together, at least 1: its size is always a multiple of it
 * @param pinned where it would start; nowhere if the platform chooses
 * @param held what it holds now
 * @param priority its priority there; more is earlier
 * @param submittedAt when it was submitted
 * @param secondsLimit after how long the platform ends it, at least 1; empty for never
 * @param words what its owner says of it to Spur
 * @param mark what Spur last wrote on it; empty if Spur never did
 * @param unfit why Spur cannot touch it; empty if it can
 * @param training what else its platform tells of its training
 */
public record PlatformJob(
        String id,
        String name,
        String owner,
        String pool,
        State state,
        Size asked,
        int unit,
        JobPlacement pinned,
        JobPlacement held,
        long priority,
        Instant submittedAt,
        Optional<Double> secondsLimit,
        JobAnnotation words,
        Optional<LastAppliedState> mark,
        Optional<String> unfit,
        Training training) {
    public PlatformJob {
        ArgumentChecks.named("id", id);
        ArgumentChecks.require(unit >= 1, "unit (%d) of job %s must be at least 1".formatted(unit, id));
    }

    /**
     * What a platform tells of the training of a job.
     *
     * @param progress the share of its work that is done, from 0 to 1; empty if it says nothing
     * @param run differs for each time that its processes are started, and they know it too; empty if none run
     * @param key by which its processes ask Spur where their gradients are summed, a UUID in lower case; empty if they
     *     do not
     */
    public record Training(Optional<Double> progress, Optional<String> run, Optional<String> key) {
        /** Nothing is told. */
        public static final Training UNTOLD = of(Optional.empty());

        public Training {
            ArgumentChecks.require(
                    progress.filter(share -> !(share >= 0 && share <= 1)).isEmpty(),
                    "progress %s must be from 0 to 1".formatted(progress));
        }

        /** It is so far, and nothing else is told. */
        public static Training of(Optional<Double> progress) {
            return new Training(progress, Optional.empty(), Optional.empty());
        }
    }

    /** A job of whose training its platform tells nothing. */
    public PlatformJob(
            String id,
            String name,
            String owner,
            String pool,
            State state,
            Size asked,
            int unit,
            JobPlacement pinned,
            JobPlacement held,
            long priority,
            Instant submittedAt,
            Optional<Double> secondsLimit,
            JobAnnotation words,
            Optional<LastAppliedState> mark,
            Optional<String> unfit) {
        this(
                id,
                name,
                owner,
                pool,
                state,
                asked,
                unit,
                pinned,
                held,
                priority,
                submittedAt,
                secondsLimit,
                words,
                mark,
                unfit,
                Training.UNTOLD);
    }

    /** Where a job is in its life. */
    public enum State {
        /** It waits and may not start. */
        HELD,
        /** It waits and starts when the platform finds room. */
        WAITING,
        /** It runs. */
        RUNNING,
        /** It was told to end and still holds something. */
        STOPPING,
        /** It ended well. */
        DONE,
        /** It ended with an error. */
        FAILED,
        /** It was called off. */
        CANCELLED;

        /** True if it will never run again. */
        public boolean hasEnded() {
            return this == DONE || this == FAILED || this == CANCELLED;
        }
    }

    /**
     * How large a job is.
     *
     * @param slots accelerators in all, at least 0
     * @param nodes nodes, at least 1
     */
    public record Size(int slots, int nodes) {
        public Size {
            ArgumentChecks.require(
                    slots >= 0 && nodes >= 1, "slots (%d) and nodes (%d) are no size of a job".formatted(slots, nodes));
        }
    }

    /** The same job, but holding this. */
    public PlatformJob holding(JobPlacement now) {
        return new PlatformJob(
                id,
                name,
                owner,
                pool,
                state,
                asked,
                unit,
                pinned,
                now,
                priority,
                submittedAt,
                secondsLimit,
                words,
                mark,
                unfit,
                training);
    }

    /** The share of its work that the platform says is done, from 0 to 1; empty if it says nothing. */
    public Optional<Double> progress() {
        return training.progress();
    }

    /** True if its owner offers it to Spur and Spur can touch it. */
    public boolean isOffered() {
        return words.offered() && unfit.isEmpty() && words.errors().isEmpty();
    }

    /** True if the platform shows what {@code mark} says, or is on its way there by itself. */
    public boolean agreesWith(LastAppliedState mark) {
        return switch (state) {
            case HELD -> !mark.runs();
            case WAITING -> mark.runs() && pinned.equals(mark.placement());
            case RUNNING -> mark.runs() && held.equals(mark.placement());
            case STOPPING, DONE, FAILED, CANCELLED -> true;
        };
    }
}
