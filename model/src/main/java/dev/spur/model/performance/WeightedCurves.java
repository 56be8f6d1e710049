package dev.spur.model.performance;

import java.util.Arrays;

/** Collects measured curves with their weights: at most two aggregation levels with two slot counts each. */
final class WeightedCurves {
    private static final int CAPACITY = 4;

    private final int[][] batches = new int[CAPACITY][];
    private final double[][] speeds = new double[CAPACITY][];
    private final double[] weights = new double[CAPACITY];
    private int count;

    void add(int[] measuredBatches, double[] measuredSpeeds, double weight) {
        batches[count] = measuredBatches;
        speeds[count] = measuredSpeeds;
        weights[count] = weight;
        count++;
    }

    BatchCurve curve() {
        return new BatchCurve(
                Arrays.copyOf(batches, count), Arrays.copyOf(speeds, count), Arrays.copyOf(weights, count));
    }
}
