package dev.spur.agent;

import dev.spur.agent.process.ProcessRuns;
import java.time.Duration;
import java.util.List;

/** Deletes logs beyond their limits every few seconds. Must be called by the thread that starts runs. */
final class LogRetention {
    private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final List<ProcessRuns> all;
    private long next = System.nanoTime();

    /** Creates a retention for several kinds of runs. */
    LogRetention(List<ProcessRuns> all) {
        this.all = List.copyOf(all);
    }

    void prune() {
        if (System.nanoTime() - next >= 0) {
            all.forEach(ProcessRuns::pruneLogs);
            next = System.nanoTime() + EVERY_NANOS;
        }
    }
}
