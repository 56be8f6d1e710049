package dev.spur.simulator.report.plot;

/**
 * A line of a plot.
 *
 * @param name what it shows
 * @param x where, ascending
 * @param y how much there
 * @param dots true for single points, false for a line through them
 */
@SuppressWarnings("ArrayRecordComponent") // made once, drawn once, never compared
public record Series(String name, double[] x, double[] y, boolean dots) {
    public Series {
        if (x.length != y.length) {
            throw new IllegalArgumentException("%s has %d places and %d values".formatted(name, x.length, y.length));
        }
        x = x.clone();
        y = y.clone();
    }

    /** A line through points. */
    public static Series line(String name, double[] x, double[] y) {
        return new Series(name, x, y, false);
    }

    /** Single points. */
    public static Series dots(String name, double[] x, double[] y) {
        return new Series(name, x, y, true);
    }
}
