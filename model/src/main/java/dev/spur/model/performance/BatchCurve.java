package dev.spur.model.performance;

import java.util.Arrays;

/**
 * Throughput by global batch size with all other parameters fixed: a weighted sum of measured curves, and therefore
 * piecewise linear.
 */
public final class BatchCurve {
    /** Maximum number of measured curves: at two numbers of aggregation slots, two slot counts each. */
    private static final int CAPACITY = 4;

    private final int[][] batches = new int[CAPACITY][];
    private final double[][] speeds = new double[CAPACITY][];
    private final double[] weights = new double[CAPACITY];
    private int count;

    /** Creates the curve of an unknown throughput: 0 everywhere. */
    BatchCurve() {}

    /**
     * Adds a measured curve.
     *
     * @param measured measured batch sizes, ascending
     * @param speed throughput at these batch sizes, samples per second
     */
    void add(int[] measured, double[] speed, double weight) {
        batches[count] = measured;
        speeds[count] = speed;
        weights[count] = weight;
        count++;
    }

    /**
     * Returns the samples per second at {@code batch}: linear between measured batch sizes, constant above the last
     * one, proportional below the first.
     */
    public double at(int batch) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i] * along(batches[i], speeds[i], batch);
        }
        return sum;
    }

    /** Returns the batch sizes at which the slope may change, unordered and possibly with duplicates. */
    public int[] breakpoints() {
        int[] all = new int[0];
        for (int i = 0; i < count; i++) {
            int[] own = batches[i];
            // Curves with equal batch sizes share one array, see ThroughputSurface.
            if (i == 0 || own != batches[i - 1]) {
                int size = all.length;
                all = Arrays.copyOf(all, size + own.length);
                System.arraycopy(own, 0, all, size, own.length);
            }
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
