package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.StepTimeModel;

/**
 * Overlapping compute and synchronization, the latter within a node or across nodes. Source: Qiao et al., Pollux, OSDI
 * '21; the formula is that of {@link StepTimeModel}.
 */
final class PolluxFormula implements Formula {
    private static final int GAMMA = 6;

    @Override
    public String name() {
        return "pollux";
    }

    @Override
    public boolean covers(SyncStrategy strategy) {
        return strategy == SyncStrategy.ALL_REDUCE;
    }

    @Override
    public Gaussian usual(double seconds, double perSlotBatch) {
        double time = Math.log(seconds);
        return Gaussian.independent(
                new double[] {
                    time - 1.5, time - 0.3 - Math.log(perSlotBatch), time - 1, time - 4.5, time - 2, time - 4.5, 0
                },
                new double[] {1.2, 0.7, 1.2, 1.2, 1.2, 1.2, 1.5});
    }

    @Override
    public double[] times() {
        return new double[] {1, 1, 1, 1, 1, 1, 0};
    }

    @Override
    public double logSeconds(double[] p, StepShape shape) {
        double gradient = Math.exp(p[0]) + Math.exp(p[1]) * shape.perSlotBatch();
        if (shape.slots() == 1) {
            return Math.log(gradient * (shape.accumulationSteps() + 1));
        }
        int alpha = shape.nodes() == 1 ? 4 : 2;
        double sync = Math.exp(p[alpha]) + Math.exp(p[alpha + 1]) * (shape.slots() - 2);
        return Math.log(shape.accumulationSteps() * gradient + overlapping(gradient, sync, p[GAMMA]));
    }

    /**
     * Returns the seconds of two overlapping activities; the overlap grows from none to almost complete with
     * {@code coordinate}.
     */
    static double overlapping(double a, double b, double coordinate) {
        double gamma = 1 + (StepTimeModel.MAX_GAMMA - 1) / (1 + Math.exp(-coordinate));
        double larger = Math.max(a, b);
        return larger * Math.pow(Math.pow(a / larger, gamma) + Math.pow(b / larger, gamma), 1 / gamma);
    }
}
