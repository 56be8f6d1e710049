package dev.spur.model.performance;

import java.util.Arrays;

/**
 * Throughput by global batch size, everything else fixed: a weighted sum of measured curves, hence linear between its
 * bends.
 */
public final class BatchCurve {
    /** The curve of which nothing is known: 0 everywhere. */
    static final BatchCurve NOTHING = new BatchCurve(new int[0][], new double[0][], new double[0]);

    private final int[][] batches;
    private final double[][] speeds;
    private final double[] weights;

    /**
     * @param batches batch sizes measured on each curve, ascending
     * @param speeds samples per second there
     * @param weights weight of each curve
     */
    BatchCurve(int[][] batches, double[][] speeds, double[] weights) {
        this.batches = batches;
        this.speeds = speeds;
        this.weights = weights;
    }

    /** Samples per second at {@code batch}: chords between measured batch sizes, level above, proportional below. */
    public double at(int batch) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * along(batches[i], speeds[i], batch);
        }
        return sum;
    }

    /** Batch sizes at which the curve may bend, in no order, some perhaps twice. */
    public int[] bends() {
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
