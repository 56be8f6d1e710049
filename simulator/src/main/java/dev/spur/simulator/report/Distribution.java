package dev.spur.simulator.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Sample of measured values in ascending order. All statistics of an empty sample are 0. */
final class Distribution {
    private final double[] sorted;

    Distribution(DoubleStream values) {
        sorted = values.sorted().toArray();
    }

    double mean() {
        return Arrays.stream(sorted).average().orElse(0);
    }

    double max() {
        return sorted.length == 0 ? 0 : sorted[sorted.length - 1];
    }

    /** Returns the quantile {@code share}, from 0 to 1, with linear interpolation between two values. */
    double quantile(double share) {
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
