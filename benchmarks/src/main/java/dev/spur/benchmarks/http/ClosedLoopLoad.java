package dev.spur.benchmarks.http;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Closed-loop load: each client sends the next request as soon as it receives the response. */
public final class ClosedLoopLoad {
    private ClosedLoopLoad() {}

    /**
     * Throughput and latency of a load.
     *
     * @param perSecond responses per second
     * @param p50Millis median latency, milliseconds
     * @param p99Millis 99th percentile of the latency, milliseconds
     */
    public record Result(double perSecond, double p50Millis, double p99Millis) {}

    /**
     * Sends requests for {@code seconds} seconds.
     *
     * @param clients number of connections with one outstanding request each
     * @param next supplier of the next request; called concurrently
     * @param wanted accepted status codes
     * @throws IllegalStateException if a response has another status
     */
    public static Result run(
            HttpClient http, int clients, double seconds, Supplier<HttpRequest> next, Set<Integer> wanted)
            throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Future<long[]>> parts = new ArrayList<>();
        for (int c = 0; c < clients; c++) {
            parts.add(threads.submit(() -> loop(http, end, next, wanted)));
        }
        threads.shutdown();
        List<long[]> times = new ArrayList<>();
        for (Future<long[]> part : parts) {
            try {
                times.add(part.get());
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                throw new IllegalStateException("A client failed: " + failed.getCause(), failed);
            }
        }
        double took = (System.nanoTime() - start) / 1e9;
        long[] sorted = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Result(sorted.length / took, percentile(sorted, 0.5) / 1e6, percentile(sorted, 0.99) / 1e6);
    }

    private static long[] loop(HttpClient http, long end, Supplier<HttpRequest> next, Set<Integer> wanted)
            throws Exception {
        long[] times = new long[1024];
        int count = 0;
        for (long sent = System.nanoTime(); sent < end; sent = System.nanoTime()) {
            HttpResponse<String> answer = http.send(next.get(), HttpResponse.BodyHandlers.ofString());
            if (!wanted.contains(answer.statusCode())) {
                throw new IllegalStateException(
                        "Unexpected status %d: %s".formatted(answer.statusCode(), answer.body()));
            }
            if (count == times.length) {
                times = Arrays.copyOf(times, 2 * count);
            }
            times[count++] = System.nanoTime() - sent;
        }
        return Arrays.copyOf(times, count);
    }

    /** Returns the quantile {@code part} of the values; 0 if there are none. */
    public static long percentile(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    }
}
