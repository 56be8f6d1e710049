package dev.spur.model.performance;

import java.util.Arrays;

/**
 * Throughput by global batch size with all other parameters fixed: a weighted sum of measured curves, and therefore
 * piecewise linear.
 */
public final class BatchCurve {
    /** The curve of an unknown throughput: 0 everywhere. */
    static final BatchCurve UNKNOWN = new BatchCurve(new int[0][], new double[0][], new double[0]);

    private final int[][] batches;
    private final double[][] speeds;
    private final double[] weights;

    /**
     * @param batches measured batch sizes of each curve, ascending
     * @param speeds throughput at these batch sizes, samples per second
     * @param weights weight of each curve
     */
    BatchCurve(int[][] batches, double[][] speeds, double[] weights) {
        this.batches = batches;
        this.speeds = speeds;
        this.weights = weights;
    }

    /**
     * Returns the samples per second at {@code batch}: linear between measured batch sizes, constant above the last
     * one, proportional below the first.
     */
    public double at(int batch) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * along(batches[i], speeds[i], batch);
        }
        return sum;
    }

    /** Returns the batch sizes at which the slope may change, unordered and possibly with duplicates. */
    public int[] breakpoints() {
        int count = 0;
        for (int[] own : batches) {
            count += own.length;
        }
        int[] all = new int[count];
        int at = 0;
        for (int[] own : batches) {
            System.arraycopy(own, 0, all, at, own.length);
            at += own.length;
        }
        return all;
    }

    private static double along(int[] keys, double[] values, int x) {
        int at = Arrays.binarySearch(keys, x);
        if (at >= 0) {
            return values[at];
        }
        int above = -at - 1;
        if (above == 0) {
            return values[0] * x / keys[0];
        }
        if (above == keys.length) {
            return values[above - 1];
        }
        double part = (double) (x - keys[above - 1]) / (keys[above] - keys[above - 1]);
        return values[above - 1] + part * (values[above] - values[above - 1]);
    }
}
