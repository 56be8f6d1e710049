package dev.spur.simulator.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Sample of measured values in ascending order. All statistics of an empty sample are 0. */
public final class Distribution {
    private final double[] sorted;

    public Distribution(DoubleStream values) {
        sorted = values.sorted().toArray();
    }

    /** Returns the arithmetic mean. */
    public double mean() {
        return Arrays.stream(sorted).average().orElse(0);
    }

    /** Returns the largest value. */
    public double max() {
        return sorted.length == 0 ? 0 : sorted[sorted.length - 1];
    }

    /** Returns the quantile {@code share}, from 0 to 1, with linear interpolation between two values. */
    public double quantile(double share) {
        if (sorted.length == 0) {
            return 0;
        }
        double at = share * (sorted.length - 1);
        int below = (int) Math.floor(at);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    int size() {
        return sorted.length;
    }
}
