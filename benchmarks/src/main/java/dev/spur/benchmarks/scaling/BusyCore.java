package dev.spur.benchmarks.scaling;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Core that this process shares with threads that only compute, as on a busy host. Until it is closed, all threads of
 * the process run on that core. It uses {@code taskset} of Linux.
 */
public final class BusyCore implements AutoCloseable {
    private static final long SECONDS = 10;

    private final List<Thread> threads;
    private volatile boolean isClosed;

    private BusyCore(int count) {
        threads = IntStream.range(0, count)
                .mapToObj(i -> new Thread(this::compute, "busy-" + i))
                .toList();
    }

    /**
     * Restricts this process to the first core.
     *
     * @param count number of threads that compute there, at least 0; with 0 the process keeps all cores
     * @throws IOException if {@code taskset} is missing or fails
     */
    public static BusyCore start(int count) throws IOException {
        BusyCore core = new BusyCore(count);
        if (count > 0) {
            restrictTo("0");
            core.threads.forEach(thread -> {
                thread.setDaemon(true);
                thread.start();
            });
        }
        return core;
    }

    private void compute() {
        while (!isClosed) {
            Thread.onSpinWait();
        }
    }

    private static void restrictTo(String cores) throws IOException {
        String process = Long.toString(ProcessHandle.current().pid());
        Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", cores, process)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!taskset.waitFor(SECONDS, TimeUnit.SECONDS) || taskset.exitValue() != 0) {
                throw new IOException("taskset did not restrict process %s to the cores %s".formatted(process, cores));
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while taskset ran", interruption);
        }
    }

    /** Ends the threads and gives the process all cores again. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        if (!threads.isEmpty()) {
            restrictTo("0-%d".formatted(Runtime.getRuntime().availableProcessors() - 1));
        }
    }
}
