package dev.spur.agent;

import dev.spur.agent.process.ProcessRuns;
import java.time.Duration;
import java.util.List;

/** Limits the size of all logs every few seconds. Must be called by the thread that starts runs. */
final class LogRotation {
    private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final List<ProcessRuns> all;
    private final ProcessRuns.LogBounds bounds;
    private long next = System.nanoTime();

    /** Creates a rotation for several kinds of runs, each with these limits. */
    LogRotation(List<ProcessRuns> all, ProcessRuns.LogBounds bounds) {
        this.all = List.copyOf(all);
        this.bounds = bounds;
    }

    void rotate() {
        if (System.nanoTime() - next >= 0) {
            all.forEach(runs -> runs.pruneLogs(bounds));
            next = System.nanoTime() + EVERY_NANOS;
        }
    }
}
