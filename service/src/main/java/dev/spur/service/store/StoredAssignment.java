package dev.spur.service.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An assignment, what its executor has reported of it, and what the job wants of it.
 *
 * @param key which one
 * @param devices devices that it holds or is to hold
 * @param nodeRank place of its node among those of the job
 * @param rankOffset rank of its first device
 * @param port port of its gang
 * @param resumeUpTo newest generation from which it may resume; null if none has run
 * @param state what was reported
 * @param stranger true if its executor reported it although it should not have run it any more
 * @param seq number of the last transition that counted
 * @param pid its first process
 * @param exitCode how its processes ended
 * @param detail anything that was added for people
 * @param changedAt since when it is in its state
 * @param ageSeconds how long that is
 * @param wish what the job wants
 */
public record StoredAssignment(
        AssignmentKey key,
        List<String> devices,
        int nodeRank,
        int rankOffset,
        int port,
        @Nullable Long resumeUpTo,
        AssignmentState state,
        boolean stranger,
        long seq,
        @Nullable Long pid,
        @Nullable Long exitCode,
        @Nullable String detail,
        Instant changedAt,
        double ageSeconds,
        DesiredRunState wish) {
    public StoredAssignment {
        devices = List.copyOf(devices);
    }

    /** What a job wants of an assignment. */
    public enum DesiredRunState {
        /** It is a part of the job's allocation. */
        RUN,
        /** It is, and the job is held. */
        HELD,
        /** It is, and the job's target loss is reached, which its program need not know. */
        TARGET_REACHED,
        /** The job has another allocation, or waits. */
        SUPERSEDED,
        /** The job has ended. */
        ENDED,
        /** There is no such job. */
        UNKNOWN
    }

    /** True if it is to run. */
    public boolean wanted() {
        return wish == DesiredRunState.RUN && !stranger;
    }

    /** True if it is a part of the job's allocation, whether the job is to stop or not. */
    public boolean current() {
        return wish == DesiredRunState.RUN || wish == DesiredRunState.HELD || wish == DesiredRunState.TARGET_REACHED;
    }
}
