package dev.spur.model.performance;

import java.util.Arrays;

/** Measured throughput by global batch size with all other parameters fixed. */
final class MeasuredCurve {
    final int[] batches;
    private final double[] speeds;

    /**
     * @param batches measured batch sizes, ascending; not to be changed
     * @param speeds throughput at these batch sizes, samples per second
     */
    MeasuredCurve(int[] batches, double[] speeds) {
        this.batches = batches;
        this.speeds = speeds;
    }

    /**
     * Returns the samples per second at {@code batch}: linear between measured batch sizes, constant above the last
     * one, proportional below the first.
     */
    double at(int batch) {
        int at = Arrays.binarySearch(batches, batch);
        if (at >= 0) {
            return speeds[at];
        }
        int above = -at - 1;
        if (above == 0) {
            return speeds[0] * batch / batches[0];
        }
        if (above == batches.length) {
            return speeds[above - 1];
        }
        double part = (double) (batch - batches[above - 1]) / (batches[above] - batches[above - 1]);
        return speeds[above - 1] + part * (speeds[above] - speeds[above - 1]);
    }
}
