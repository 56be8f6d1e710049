package dev.spur.prediction.online;

/** Correlations between the prediction errors at two places, if the model is wrong in one dimension only. */
final class DimensionKernels {
    /** Length scale in doublings. */
    private static final double REACH = 1.2;

    private DimensionKernels() {}

    /** Returns the correlation of the errors at two places, from 0 to 1; symmetric. */
    static double of(Drift.Dimension dimension, LogResidual a, LogResidual b) {
        return switch (dimension) {
            case EVERYWHERE -> 1;
            case TYPE -> sameType(a, b);
            case SLOTS -> correlation(a.shape().slots(), b.shape().slots());
            case BATCH -> correlation(a.shape().perSlotBatch(), b.shape().perSlotBatch());
            case AGGREGATION -> aggregation(a, b);
            case SHAPE ->
                sameType(a, b)
                        * correlation(a.shape().slots(), b.shape().slots())
                        * correlation(a.shape().nodes(), b.shape().nodes())
                        * correlation(a.shape().perSlotBatch(), b.shape().perSlotBatch())
                        * aggregation(a, b);
        };
    }

    private static double sameType(LogResidual a, LogResidual b) {
        return a.acceleratorType().equals(b.acceleratorType()) ? 1 : 0;
    }

    private static double aggregation(LogResidual a, LogResidual b) {
        double one = a.shape().aggregationSlots();
        double other = b.shape().aggregationSlots();
        if (one > 0 && other > 0) {
            return correlation(one, other);
        }
        return one == other ? 1 : 0;
    }

    private static double correlation(double a, double b) {
        double doublings = Math.log(a / b) / Math.log(2) / REACH;
        return Math.exp(-doublings * doublings / 2);
    }
}
