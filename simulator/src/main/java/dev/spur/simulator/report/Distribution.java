package dev.spur.simulator.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Measured values, in ascending order. Without any value, every figure of them is 0. */
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

    /** The value below which {@code share} of the values lie, from 0 to 1, straight between two values. */
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
