package dev.spur.agent;

import dev.spur.agent.process.ProcessRuns;
import java.time.Duration;
import java.util.List;

/**
 * Keeps the logs of everything that runs here within bounds, every few seconds. To be called by the thread that starts
 * runs.
 */
final class LogRotation {
    private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final List<ProcessRuns> all;
    private final ProcessRuns.LogBounds bounds;
    private long next = System.nanoTime();

    /** For runs of several sorts, whose logs each have these bounds. */
    LogRotation(List<ProcessRuns> all, ProcessRuns.LogBounds bounds) {
        this.all = List.copyOf(all);
        this.bounds = bounds;
    }

    void look() {
        if (System.nanoTime() - next >= 0) {
            all.forEach(runs -> runs.pruneLogs(bounds));
            next = System.nanoTime() + EVERY_NANOS;
        }
    }
}
