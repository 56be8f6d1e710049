package dev.spur.benchmarks.load;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Closed-loop load: each client sends the next request as soon as it receives the response. */
public final class ClosedLoopLoad {
    private static final int DIGITS = 3;

    private ClosedLoopLoad() {}

    /**
     * Throughput and latency of a load.
     *
     * @param responses number of responses
     * @param perSecond responses per second
     * @param p50Millis median latency, milliseconds
     * @param p99Millis 99th percentile of the latency, milliseconds
     */
    public record Result(long responses, double perSecond, double p50Millis, double p99Millis) {}

    /**
     * Sends requests for {@code seconds} seconds, or until there are no more.
     *
     * @param clients number of connections with one outstanding request each
     * @param next supplier of the next request, null for no more; called concurrently
     * @param expected accepted status codes
     * @throws IllegalStateException if a response has another status
     */
    public static Result run(int clients, double seconds, Supplier<@Nullable HttpRequest> next, Set<Integer> expected)
            throws InterruptedException {
        Histogram micros = new ConcurrentHistogram(DIGITS);
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Future<?>> parts = new ArrayList<>();
        for (int c = 0; c < clients; c++) {
            parts.add(threads.submit(() -> {
                try (BlockingConnection connection = new BlockingConnection()) {
                    for (long sent = System.nanoTime(); sent < end; sent = System.nanoTime()) {
                        HttpRequest request = next.get();
                        if (request == null) {
                            break;
                        }
                        send(connection, request, expected);
                        micros.recordValue((System.nanoTime() - sent) / 1000);
                    }
                }
                return null;
            }));
        }
        threads.shutdown();
        for (Future<?> part : parts) {
            try {
                part.get();
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                throw new IllegalStateException("A client failed: " + failed.getCause(), failed);
            }
        }
        double took = (System.nanoTime() - start) / 1e9;
        return new Result(
                micros.getTotalCount(),
                micros.getTotalCount() / took,
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3);
    }

    private static void send(BlockingConnection connection, HttpRequest request, Set<Integer> expected)
            throws IOException {
        ReceivedResponse response = connection.send(request);
        if (!expected.contains(response.status())) {
            throw new IllegalStateException(
                    "Unexpected status %d: %.500s".formatted(response.status(), response.body()));
        }
    }
}
