package dev.spur.benchmarks.browser;

import java.util.List;
import java.util.Map;

/**
 * Browser metrics of one visit of a view with an empty cache. Times are in milliseconds since navigation start.
 *
 * @param shownMillis time until the view showed the data of the service
 * @param largestPaintMillis Largest Contentful Paint: time until the largest visible element was painted
 * @param longTasks number of tasks that blocked the page for more than 50 ms, until the measurement ended
 * @param longestTaskMillis duration of the longest such task; 0 if there was none
 * @param requests number of requests, scripts and styles included
 * @param transferredBytes bytes received over the network for these requests, headers included
 * @param decodedBytes the same before compression
 * @param elements number of elements of the page
 * @param barriers accessibility violations that axe-core rates serious or critical
 */
public record Visit(
        double shownMillis,
        double largestPaintMillis,
        int longTasks,
        double longestTaskMillis,
        int requests,
        long transferredBytes,
        long decodedBytes,
        int elements,
        List<String> barriers) {
    public Visit {
        barriers = List.copyOf(barriers);
    }

    static Visit of(Map<?, ?> figures, List<String> barriers) {
        return new Visit(
                figure(figures, "shown"),
                figure(figures, "largest"),
                (int) figure(figures, "tasks"),
                figure(figures, "longest"),
                (int) figure(figures, "requests"),
                (long) figure(figures, "transferred"),
                (long) figure(figures, "decoded"),
                (int) figure(figures, "elements"),
                barriers);
    }

    private static double figure(Map<?, ?> figures, String name) {
        return figures.get(name) instanceof Number number ? number.doubleValue() : 0;
    }
}
