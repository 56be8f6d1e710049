package dev.spur.model.performance;

import java.util.Arrays;

/**
 * Throughput by global batch size with all other parameters fixed: a weighted sum of measured curves, and therefore
 * piecewise linear. A sum of no curve is 0 everywhere.
 */
public final class BatchCurve {
    /** Maximum number of measured curves: at two numbers of aggregation slots, two slot counts each. */
    private static final int CAPACITY = 4;

    private final MeasuredCurve[] curves = new MeasuredCurve[CAPACITY];
    private final double[] weights = new double[CAPACITY];
    private int count;
    private int[] breakpoints = {};

    BatchCurve() {}

    void add(MeasuredCurve curve, double weight) {
        // Curves with equal batch sizes share one array, see AggregationLevel.
        if (count == 0) {
            breakpoints = curve.batches;
        } else if (curve.batches != curves[count - 1].batches) {
            int known = breakpoints.length;
            breakpoints = Arrays.copyOf(breakpoints, known + curve.batches.length);
            System.arraycopy(curve.batches, 0, breakpoints, known, curve.batches.length);
        }
        curves[count] = curve;
        weights[count++] = weight;
    }

    /**
     * Returns the samples per second at {@code batch}: linear between measured batch sizes, constant above the last
     * one, proportional below the first.
     */
    public double at(int batch) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i] * curves[i].at(batch);
        }
        return sum;
    }

    /**
     * Returns the batch sizes at which the slope may change, unordered and possibly with duplicates; not to be changed.
     */
    public int[] breakpoints() {
        return breakpoints;
    }
}
