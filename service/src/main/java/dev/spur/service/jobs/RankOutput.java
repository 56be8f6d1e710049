package dev.spur.service.jobs;

import org.jspecify.annotations.Nullable;

/** Output of one rank, as an executor uploads it. Members as in the contract. */
public record RankOutput(
        int rank,
        String text,
        boolean restart,
        @Nullable String path,
        @Nullable RankEnd end) {
    /** Memory whose exhaustion ended a process. */
    public enum OutOfMemory {
        /** Memory of the host: the kernel killed the process. */
        HOST,
        /** Memory of a device, by the messages of the process. */
        DEVICE
    }

    /** End of a process. Members as in the contract. */
    public record RankEnd(
            int exitCode, boolean stopped, @Nullable OutOfMemory outOfMemory, double secondsAgo) {}
}
