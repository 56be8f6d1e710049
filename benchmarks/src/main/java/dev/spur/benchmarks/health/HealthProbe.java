package dev.spur.benchmarks.health;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Sends requests to a health endpoint one after another, as a platform does, and records the time of each response. */
public final class HealthProbe {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long PERIOD_MILLISECONDS = 50;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI endpoint;

    /** @param endpoint URL of the endpoint */
    public HealthProbe(URI endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Probes for some seconds.
     *
     * @return count, failures (another status than 200, or no response), median, 99th percentile and maximum in
     *     milliseconds
     */
    public List<String> probe(double seconds) throws InterruptedException {
        Histogram micros = new Histogram(TimeUnit.MINUTES.toMicros(1), 3);
        long failures = 0;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            long start = System.nanoTime();
            try {
                HttpResponse<Void> response = client.send(
                        HttpRequest.newBuilder(endpoint).timeout(TIMEOUT).build(), BodyHandlers.discarding());
                failures += response.statusCode() == 200 ? 0 : 1;
            } catch (IOException none) {
                failures++;
            }
            micros.recordValue((System.nanoTime() - start) / 1000);
            TimeUnit.MILLISECONDS.sleep(PERIOD_MILLISECONDS);
        }
        return List.of(
                Long.toString(micros.getTotalCount()),
                Long.toString(failures),
                milliseconds(micros.getValueAtPercentile(50)),
                milliseconds(micros.getValueAtPercentile(99)),
                milliseconds(micros.getMaxValue()));
    }

    private static String milliseconds(long micros) {
        return String.format(Locale.ROOT, "%.1f", micros / 1000.0);
    }
}
