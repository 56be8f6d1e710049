package dev.spur.benchmarks.load;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Timer that schedules the requests of all simulated clients. */
@SuppressWarnings("FutureReturnValueIgnored") // RecordingClient counts the failures
final class LoadTimer implements AutoCloseable {
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "load-alarm");
        thread.setDaemon(true);
        return thread;
    });

    /** Runs a task once after {@code seconds} seconds. */
    void in(double seconds, Runnable task) {
        clock.schedule(task, Math.round(seconds * 1e9), TimeUnit.NANOSECONDS);
    }

    /** Runs a task periodically, for the first time after {@code first} seconds. */
    void every(double seconds, double first, Runnable task) {
        clock.scheduleAtFixedRate(task, Math.round(first * 1e9), Math.round(seconds * 1e9), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
