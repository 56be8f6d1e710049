package dev.spur.simulator.report.plot;

/**
 * Series of a plot.
 *
 * @param name label of the series; empty for a series in the color of the one before it, without a legend
 * @param x ascending positions
 * @param y values
 * @param dots true for single points, false for a line
 * @param spread half length of the whisker at each position; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // created once, drawn once, never compared
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

    /** Returns a line. */
    public static Series line(String name, double[] x, double[] y) {
        return new Series(name, x, y, false, NONE);
    }

    /** Returns single points. */
    public static Series ofPoints(String name, double[] x, double[] y) {
        return new Series(name, x, y, true, NONE);
    }

    /** Returns a line with whiskers. */
    public static Series withSpread(String name, double[] x, double[] y, double[] spread) {
        return new Series(name, x, y, false, spread);
    }
}
