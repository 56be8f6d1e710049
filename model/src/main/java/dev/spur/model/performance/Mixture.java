package dev.spur.model.performance;

import java.util.ArrayList;
import java.util.List;

/** Collects measured curves with their weights. */
final class Mixture {
    private final List<int[]> batches = new ArrayList<>(4);
    private final List<double[]> speeds = new ArrayList<>(4);
    private final List<Double> weights = new ArrayList<>(4);

    void add(int[] measuredBatches, double[] measuredSpeeds, double weight) {
        batches.add(measuredBatches);
        speeds.add(measuredSpeeds);
        weights.add(weight);
    }

    BatchCurve curve() {
        return new BatchCurve(
                batches.toArray(new int[0][]),
                speeds.toArray(new double[0][]),
                weights.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
