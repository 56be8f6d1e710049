package dev.spur.service.job.logs;

import org.jspecify.annotations.Nullable;

/**
 * Output of one rank, as an executor uploads it.
 *
 * @param rank rank of the process
 * @param text complete lines since the last upload; may be empty
 * @param restart true if {@code text} replaces all stored output of the rank
 * @param path file with the whole log on the node; null if not reported
 * @param end end of the process; null while it runs
 */
public record RankOutput(
        int rank,
        String text,
        boolean restart,
        @Nullable String path,
        @Nullable RankEnd end) {
    /**
     * End of a process.
     *
     * @param exitCode exit code; 128 plus the number of the signal that killed it
     * @param stopped true if the executor stopped it, on request or because another rank had failed
     * @param outOfMemory exhausted memory; null if not known
     * @param secondsAgo time since the end
     */
    public record RankEnd(
            int exitCode, boolean stopped, @Nullable OutOfMemory outOfMemory, double secondsAgo) {}
}
