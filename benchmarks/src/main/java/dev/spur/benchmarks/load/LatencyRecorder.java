package dev.spur.benchmarks.load;

import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Times of answers by route, and how many were not what they should have been. May be used by several threads. */
final class LatencyRecorder {
    private static final List<String> HEADER =
            List.of("what", "count", "per_s", "refused", "failed", "p50_ms", "p99_ms", "max_ms");
    private static final long LONGEST_MICROS = 600_000_000;
    private static final int DIGITS = 3;

    private final Map<String, Series> series = new TreeMap<>();
    private boolean on;

    /** What was seen of one route. */
    private static final class Series {
        private final Histogram micros = new Histogram(LONGEST_MICROS, DIGITS);
        private long refused;
        private long failed;
    }

    /** Forgets what was before; what comes from now on counts. */
    synchronized void begin() {
        series.clear();
        on = true;
    }

    /** An answer that was right. */
    synchronized void answered(String what, long nanos) {
        if (on) {
            of(what).micros.recordValue(Math.min(LONGEST_MICROS, Math.max(0, nanos / 1000)));
        }
    }

    /** An answer that was right and said no, because the plan had gone on meanwhile. */
    synchronized void refused(String what) {
        if (on) {
            of(what).refused++;
        }
    }

    /** An answer that was wrong, or none. */
    synchronized void failed(String what) {
        if (on) {
            of(what).failed++;
        }
    }

    /** How many answers were wrong or missing. */
    synchronized long failures() {
        return series.values().stream().mapToLong(one -> one.failed).sum();
    }

    private Series of(String what) {
        return series.computeIfAbsent(what, name -> new Series());
    }

    /** One row for each route, in the order of their names. */
    synchronized ResultTable table(double seconds) {
        List<List<String>> rows = new ArrayList<>();
        series.forEach((what, seen) -> rows.add(List.of(
                what,
                Long.toString(seen.micros.getTotalCount()),
                format(seen.micros.getTotalCount() / seconds),
                Long.toString(seen.refused),
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
