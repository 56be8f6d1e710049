package dev.spur.simulator.report.plot;

/**
 * A line of a plot.
 *
 * @param name what it shows
 * @param x where, ascending
 * @param y how much there
 * @param dots true for single points, false for a line through them
 * @param spread how far a whisker reaches up and down at each place; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // made once, drawn once, never compared
public record Series(String name, double[] x, double[] y, boolean dots, double[] spread) {
    private static final double[] NONE = {};

    public Series {
        if (x.length != y.length) {
            throw new IllegalArgumentException("%s has %d places and %d values".formatted(name, x.length, y.length));
        }
        if (spread.length != 0 && spread.length != x.length) {
            throw new IllegalArgumentException(
                    "%s has %d places and %d whiskers".formatted(name, x.length, spread.length));
        }
        x = x.clone();
        y = y.clone();
        spread = spread.clone();
    }

    /** A line through points. */
    public static Series line(String name, double[] x, double[] y) {
        return new Series(name, x, y, false, NONE);
    }

    /** Single points. */
    public static Series dots(String name, double[] x, double[] y) {
        return new Series(name, x, y, true, NONE);
    }

    /** A line through points with whiskers. */
    public static Series withSpread(String name, double[] x, double[] y, double[] spread) {
        return new Series(name, x, y, false, spread);
    }
}
