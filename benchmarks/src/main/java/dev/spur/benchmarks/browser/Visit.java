package dev.spur.benchmarks.browser;

import java.util.List;
import java.util.Map;

/**
 * What the browser's own clocks say of one visit of a view with an empty cache. Times are milliseconds since the visit
 * began.
 *
 * @param shownMillis when the view was drawn with what the service said
 * @param largestPaintMillis when the largest thing that is seen was painted
 * @param longTasks how often the page did not answer for more than 50 ms, until the measurement ended
 * @param longestTaskMillis the longest of these times; 0 if there was none
 * @param requests requests, scripts and styles included
 * @param transferredBytes what came over the network for them, headers included
 * @param decodedBytes the same before compression
 * @param elements elements of the page
 * @param barriers serious or critical findings of axe
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
