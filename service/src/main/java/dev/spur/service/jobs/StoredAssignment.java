package dev.spur.service.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assignment with the reports of its executor and its desired state.
 *
 * @param devices devices that it holds or will hold
 * @param deviceShare share of its device that it takes; null for whole devices
 * @param nodeRank rank of its node among the nodes of the job
 * @param rankOffset rank of its first device
 * @param port port of its gang
 * @param resumeUpTo newest generation that it may resume from; null if none has run
 * @param orphan true if its executor reported it against the plan
 * @param seq number of the last accepted transition
 * @param rescale last change of its ranks; null if there was none
 * @param warmsUp true if its executor must start its processes now, and its job trains elsewhere until they are ready
 */
public record StoredAssignment(
        AssignmentKey key,
        List<String> devices,
        @Nullable Double deviceShare,
        int nodeRank,
        int rankOffset,
        int port,
        @Nullable Long resumeUpTo,
        AssignmentState state,
        boolean orphan,
        long seq,
        @Nullable Long pid,
        @Nullable Long exitCode,
        @Nullable String detail,
        Instant changedAt,
        double ageSeconds,
        DesiredRunState desired,
        @Nullable Rescale rescale,
        boolean warmsUp) {
    public StoredAssignment {
        devices = List.copyOf(devices);
    }

    /**
     * Change of the ranks of a running assignment.
     *
     * @param number number of the change, from 1
     * @param next devices by rank after the change; null once the executor has completed it
     * @param ranks rank before the change by rank after it; null for one that joins
     * @param port port of the new rendezvous
     * @param adopted true if the executor of rank 0 has completed it
     */
    public record Rescale(
            int number, @Nullable List<String> next, List<@Nullable Integer> ranks, int port, boolean adopted) {}

    /** Returns the devices by rank, after the change of the ranks that is in progress. */
    public List<String> plannedDevices() {
        return rescale == null || rescale.next() == null ? devices : rescale.next();
    }

    /** Returns true if a change of its ranks is in progress. */
    public boolean isRescaling() {
        return rescale != null && rescale.next() != null;
    }

    /** Returns true if the job trains without its ranks: all have left, or none has joined yet. */
    public boolean isOutsideTraining() {
        if (rescale == null || rescale.next() == null) {
            return false;
        }
        List<String> next = rescale.next();
        boolean joins = !next.isEmpty()
                && rescale.ranks().subList(rankOffset, rankOffset + next.size()).stream()
                        .allMatch(Objects::isNull);
        return rescale.adopted() ? next.isEmpty() : joins;
    }

    /** Desired state of an assignment. */
    public enum DesiredRunState {
        /** The assignment is part of the allocation of the job. */
        RUN,
        /** The job has another allocation, whose processes are not ready. The assignment trains until they are. */
        UNTIL_NEXT_IS_READY,
        /** The assignment is part of the allocation, and the job is held. */
        HELD,
        /**
         * The assignment is part of the allocation, and the job has reached its target loss. Its program may not know
         * this.
         */
        TARGET_REACHED,
        /** The job has another allocation, or waits. */
        SUPERSEDED,
        /** The job has ended. */
        ENDED,
        /** The job does not exist. */
        UNKNOWN;

        /** Returns true if the assignment must run. */
        public boolean runs() {
            return this == RUN || this == UNTIL_NEXT_IS_READY;
        }
    }

    /** Returns true if the assignment must run. */
    public boolean shouldRun() {
        return desired.runs() && !orphan;
    }

    /** Returns true if the assignment is part of the allocation of the job, even if the job must stop. */
    public boolean current() {
        return desired == DesiredRunState.RUN
                || desired == DesiredRunState.HELD
                || desired == DesiredRunState.TARGET_REACHED;
    }
}
