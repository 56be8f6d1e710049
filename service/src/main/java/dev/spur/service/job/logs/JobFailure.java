package dev.spur.service.job.logs;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Last failure of a job: of the rank that failed first, or as its platform reported it.
 *
 * @param message cause in one sentence or two
 * @param at time of the failure
 * @param attempt number of consecutive failures, including this one; null if executors of Spur did not start the job
 * @param maxAttempts number of failures after which the job is FAILED; null likewise
 * @param generation generation that failed; null if unknown
 * @param node node of the failed rank; null if unknown
 * @param rank rank that failed first; null if unknown
 * @param exitCode its exit code; null if unknown
 * @param signal signal that killed it; null for none
 * @param outOfMemory memory that it exhausted; null if not known
 * @param lines its last lines, the oldest first; empty if none were uploaded
 */
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
