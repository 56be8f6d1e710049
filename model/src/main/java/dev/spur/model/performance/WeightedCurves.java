package dev.spur.model.performance;

import java.util.Arrays;

/** Collects measured curves with their weights: at most two layers of at most two numbers of slots. */
final class WeightedCurves {
    private static final int MOST = 4;

    private final int[][] batches = new int[MOST][];
    private final double[][] speeds = new double[MOST][];
    private final double[] weights = new double[MOST];
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
