package dev.spur.prediction.speed;

/**
 * The covariance of the errors of a formula in two shapes: a squared-exponential kernel. The distance is in doublings
 * of slots, of samples per pass and of aggregation slots, with one step between one node and several.
 */
final class Kernel {
    private static final double SLOTS = 1.5;
    private static final double BATCH = 2;
    private static final double AGGREGATION = 1.5;
    private static final double NODES = 1;

    private final double variance;
    private final double noise;

    /**
     * @param spread standard deviation of the formula's error, as a difference of logarithms, at least 0
     * @param noise standard deviation of the noise of a fresh measurement, as a difference of logarithms, above 0
     */
    Kernel(double spread, double noise) {
        variance = spread * spread;
        this.noise = noise * noise;
    }

    /** Returns the noise variance of a measurement of this weight. */
    double noise(double weight) {
        return noise / weight;
    }

    /** Returns the covariance of the errors in two shapes; symmetric. */
    double between(StepShape a, StepShape b) {
        double distance = square(log2((double) a.slots() / b.slots()) / SLOTS)
                + square(log2(a.perSlotBatch() / b.perSlotBatch()) / BATCH)
                + square((Math.min(a.nodes(), 2) - Math.min(b.nodes(), 2)) / NODES)
                + square(log2((a.accumulationSteps() + 1.0) / (b.accumulationSteps() + 1.0)) / BATCH);
        distance += square(log2((double) a.slotsPerNode() / b.slotsPerNode()) / SLOTS);
        if (a.aggregationSlots() > 0 && b.aggregationSlots() > 0) {
            distance += square(log2(a.aggregationSlots() / b.aggregationSlots()) / AGGREGATION);
        }
        return variance * Math.exp(-distance / 2);
    }

    private static double square(double x) {
        return x * x;
    }

    private static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }
}
