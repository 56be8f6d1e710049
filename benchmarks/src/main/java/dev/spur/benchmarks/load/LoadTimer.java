package dev.spur.benchmarks.load;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Wakes the programs of a site. */
@SuppressWarnings("FutureReturnValueIgnored") // tasks send requests, and what fails is counted there
final class LoadTimer implements AutoCloseable {
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "load-alarm");
        thread.setDaemon(true);
        return thread;
    });

    /** Does something once, after so many seconds. */
    void in(double seconds, Runnable task) {
        clock.schedule(task, Math.round(seconds * 1e9), TimeUnit.NANOSECONDS);
    }

    /** Does something again and again, for the first time after {@code first} seconds. */
    void every(double seconds, double first, Runnable task) {
        clock.scheduleAtFixedRate(task, Math.round(first * 1e9), Math.round(seconds * 1e9), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
