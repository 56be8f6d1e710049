package dev.spur.benchmarks.load;

import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Recorder of latency and failures by route. Thread-safe. */
final class LatencyRecorder {
    private static final List<String> HEADER =
            List.of("what", "count", "per_s", "rejected", "failed", "p50_ms", "p99_ms", "max_ms");
    private static final long LONGEST_MICROS = 600_000_000;
    private static final int DIGITS = 3;

    private final Map<String, Series> series = new TreeMap<>();
    private boolean on;

    /** Samples of one route. */
    private static final class Series {
        private final Histogram micros = new Histogram(LONGEST_MICROS, DIGITS);
        private long rejected;
        private long failed;
    }

    /** Discards all samples so far, at the end of the warm-up. */
    synchronized void begin() {
        series.clear();
        on = true;
    }

    /** Records a successful response. */
    synchronized void recordResponse(String what, long nanos) {
        if (on) {
            of(what).micros.recordValue(Math.min(LONGEST_MICROS, Math.max(0, nanos / 1000)));
        }
    }

    /** Records a valid rejection, caused by a plan that changed in the meantime. */
    synchronized void recordRejection(String what) {
        if (on) {
            of(what).rejected++;
        }
    }

    /** Records a failed or missing response. */
    synchronized void recordFailure(String what) {
        if (on) {
            of(what).failed++;
        }
    }

    /** Returns the number of failed or missing responses. */
    synchronized long failures() {
        return series.values().stream().mapToLong(one -> one.failed).sum();
    }

    private Series of(String what) {
        return series.computeIfAbsent(what, name -> new Series());
    }

    /** Returns one row per route, sorted by name. */
    synchronized ResultTable table(double seconds) {
        List<List<String>> rows = new ArrayList<>();
        series.forEach((what, seen) -> rows.add(List.of(
                what,
                Long.toString(seen.micros.getTotalCount()),
                format(seen.micros.getTotalCount() / seconds),
                Long.toString(seen.rejected),
                Long.toString(seen.failed),
                format(seen.micros.getValueAtPercentile(50) / 1e3),
                format(seen.micros.getValueAtPercentile(99) / 1e3),
                format(seen.micros.getMaxValue() / 1e3))));
        return new ResultTable(HEADER, rows);
    }

    private static String format(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.1f", value);
    }
}
