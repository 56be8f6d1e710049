package dev.spur.connectors;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job as its platform reports it.
 *
 * @param id id on the platform
 * @param name display name
 * @param owner submitting user
 * @param pool resource pool of the job
 * @param state lifecycle state
 * @param requested requested size: total slots and nodes
 * @param unit granularity of the size in slots, at least 1; the size is a multiple of it
 * @param pinned placement at the next start; {@link JobPlacement#NONE} if the platform chooses
 * @param held resources held now
 * @param priority priority on the platform; a higher value starts earlier
 * @param submittedAt submission time
 * @param secondsLimit time limit of each start in seconds, at least 1, by which the platform ends the job; empty if
 *     unlimited
 * @param annotation settings for Spur written by the owner
 * @param mark state that Spur last applied; empty if Spur applied none
 * @param unsupportedReason reason why Spur cannot control the job; empty if it can
 * @param training state of the training
 * @param nodes nodes of its pool that its request excludes and prefers
 */
public record PlatformJob(
        String id,
        String name,
        String owner,
        String pool,
        State state,
        Size requested,
        int unit,
        JobPlacement pinned,
        JobPlacement held,
        long priority,
        Instant submittedAt,
        Optional<Double> secondsLimit,
        JobAnnotation annotation,
        Optional<LastAppliedState> mark,
        Optional<String> unsupportedReason,
        Training training,
        NodeSelection nodes) {
    public PlatformJob {
        ArgumentChecks.requireNonBlank("id", id);
        ArgumentChecks.require(unit >= 1, "unit (%d) of job %s must be at least 1".formatted(unit, id));
    }

    /**
     * Training state of a job as its platform reports it.
     *
     * @param progress completed fraction of the work, from 0 to 1; empty if unknown
     * @param run identifier of the current start, also known to the job's processes; empty if none run
     * @param key UUID in lower case by which the job's processes request the addresses of their gradient shards; empty
     *     if they use no aggregators
     * @param failure cause of a failure as the platform reports it; empty if it reports none
     */
    public record Training(
            Optional<Double> progress, Optional<String> run, Optional<String> key, Optional<Failure> failure) {
        /** Unknown training state. */
        public static final Training UNKNOWN = of(Optional.empty());

        public Training {
            ArgumentChecks.require(
                    progress.filter(share -> !(share >= 0 && share <= 1)).isEmpty(),
                    "progress %s must be from 0 to 1".formatted(progress));
        }

        /** Creates a training state that consists of the progress only. */
        public static Training of(Optional<Double> progress) {
            return new Training(progress, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** Returns a copy with the cause of a failure. */
        public Training withFailure(Optional<Failure> cause) {
            return new Training(progress, run, key, cause);
        }
    }

    /**
     * Nodes by name that the request of a job excludes and prefers.
     *
     * @param excluded nodes on which it cannot run
     * @param preferred the other nodes that it prefers; empty if it prefers none or all
     */
    public record NodeSelection(List<String> excluded, List<String> preferred) {
        /** Selection of a job that may use all nodes and prefers none. */
        public static final NodeSelection ANY = new NodeSelection(List.of(), List.of());

        public NodeSelection {
            excluded = List.copyOf(excluded);
            preferred = List.copyOf(preferred);
        }
    }

    /**
     * Failure of a job.
     *
     * @param exitCode exit code, 128 plus the signal number for a killed process; empty if unknown
     * @param message cause in the words of the platform
     */
    public record Failure(Optional<Integer> exitCode, String message) {}

    /** Creates a job with unknown training state that may use all nodes of its pool. */
    public PlatformJob(
            String id,
            String name,
            String owner,
            String pool,
            State state,
            Size requested,
            int unit,
            JobPlacement pinned,
            JobPlacement held,
            long priority,
            Instant submittedAt,
            Optional<Double> secondsLimit,
            JobAnnotation annotation,
            Optional<LastAppliedState> mark,
            Optional<String> unsupportedReason) {
        this(
                id,
                name,
                owner,
                pool,
                state,
                requested,
                unit,
                pinned,
                held,
                priority,
                submittedAt,
                secondsLimit,
                annotation,
                mark,
                unsupportedReason,
                Training.UNKNOWN,
                NodeSelection.ANY);
    }

    /** Lifecycle state of a job. */
    public enum State {
        /** Waiting, and not permitted to start. */
        HELD,
        /** Waiting; starts when the platform has free resources. */
        WAITING,
        /** Running. */
        RUNNING,
        /** Requested to end, and still holding resources. */
        STOPPING,
        /** Ended successfully. */
        DONE,
        /** Ended with an error. */
        FAILED,
        /** Canceled. */
        CANCELLED;

        /** Returns true if the job never runs again. */
        public boolean hasEnded() {
            return this == DONE || this == FAILED || this == CANCELLED;
        }
    }

    /**
     * Size of a job.
     *
     * @param slots total accelerators, at least 0
     * @param nodes nodes, at least 1
     */
    public record Size(int slots, int nodes) {
        public Size {
            ArgumentChecks.require(
                    slots >= 0 && nodes >= 1,
                    "size of a job requires slots (%d) of at least 0 and nodes (%d) of at least 1"
                            .formatted(slots, nodes));
        }
    }

    /** Returns a copy of this job that holds {@code now}. */
    public PlatformJob holding(JobPlacement now) {
        return new PlatformJob(
                id,
                name,
                owner,
                pool,
                state,
                requested,
                unit,
                pinned,
                now,
                priority,
                submittedAt,
                secondsLimit,
                annotation,
                mark,
                unsupportedReason,
                training,
                nodes);
    }

    /** Returns the completed fraction of the work, from 0 to 1; empty if unknown. */
    public Optional<Double> progress() {
        return training.progress();
    }

    /** Returns true if the owner permits Spur to control the job and Spur can control it. */
    public boolean isOffered() {
        return annotation.offered()
                && unsupportedReason.isEmpty()
                && annotation.errors().isEmpty();
    }

    /** Returns true if the job reads its batch size at its start, and does so since Spur controls it. */
    public boolean readsBatch() {
        return annotation.has(JobAnnotation.ELASTIC_BATCH)
                && mark.filter(last -> last.runs() && last.placement().batch() == null)
                        .isEmpty();
    }

    /** Returns true if the platform grants the job its host resources at each start. */
    public boolean hasHostLevels() {
        return annotation.has(JobAnnotation.HOST_LEVELS);
    }

    /** Returns the batch size of the last-applied state; null if it has none. */
    public static @Nullable Integer batch(Optional<LastAppliedState> mark) {
        return mark.map(last -> last.placement().batch()).orElse(null);
    }

    /** Returns the host resources of the last-applied state; null if it has none. */
    public static @Nullable HostResources host(Optional<LastAppliedState> mark) {
        return mark.map(last -> last.placement().host()).orElse(null);
    }

    /** Returns true if the job is in the state of {@code mark}, or the platform is changing it to that state. */
    public boolean matches(LastAppliedState mark) {
        return switch (state) {
            case HELD -> !mark.runs();
            case WAITING -> mark.runs() && pinned.equals(mark.placement());
            case RUNNING -> mark.runs() && held.equals(mark.placement());
            case STOPPING, DONE, FAILED, CANCELLED -> true;
        };
    }
}
