package dev.spur.service.jobs;

import dev.spur.service.jobs.RankOutput.OutOfMemory;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Last failure of a job: of the rank that failed first, or as its platform reported it. Members as in the contract. */
public record JobFailure(
        String message,
        Instant at,
        @Nullable Integer attempt,
        @Nullable Integer maxAttempts,
        @Nullable Long generation,
        @Nullable String node,
        @Nullable Integer rank,
        @Nullable Integer exitCode,
        @Nullable String signal,
        @Nullable OutOfMemory outOfMemory,
        List<String> lines) {
    public JobFailure {
        lines = List.copyOf(lines);
    }

    /** Returns a hash that is equal on every replica. */
    public int version() {
        return Objects.hash(message, at, lines);
    }
}
