package dev.spur.service.jobs;

import dev.spur.service.jobs.RankOutput.OutOfMemory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Output of a job, as the API returns it. Members as in the contract. */
record JobLog(
        String jobId,
        long cursor,
        boolean complete,
        @Nullable String message,
        List<RankLog> ranks) {
    JobLog {
        ranks = List.copyOf(ranks);
    }

    /** Output of one rank. Members as in the contract. */
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

        boolean hasOutput() {
            return !lines.isEmpty() || exitCode != null;
        }
    }
}
