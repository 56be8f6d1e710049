package dev.spur.service.job.logs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Output of a job, as the API returns it.
 *
 * @param cursor number of the last upload, for {@code after}
 * @param complete true if no further output will be uploaded
 * @param message why there is no output; null if there is some, or if only newer output was requested
 * @param ranks output by generation and rank
 */
record JobLog(
        String jobId,
        long cursor,
        boolean complete,
        @Nullable String message,
        List<RankLog> ranks) {
    JobLog {
        ranks = List.copyOf(ranks);
    }

    /**
     * Output of one rank.
     *
     * @param exitCode exit code; null while it runs
     * @param signal name of the signal that killed it; null for none
     * @param stopped true if the executor stopped it
     * @param outOfMemory exhausted memory; null if not known
     * @param path file with the whole log on the node; null if not reported
     * @param lines last lines, the oldest first
     */
    record RankLog(
            long generation,
            int rank,
            String node,
            @Nullable Integer exitCode,
            @Nullable String signal,
            boolean stopped,
            @Nullable OutOfMemory outOfMemory,
            @Nullable Instant endedAt,
            @Nullable String path,
            List<String> lines) {
        RankLog {
            lines = List.copyOf(lines);
        }
    }
}
