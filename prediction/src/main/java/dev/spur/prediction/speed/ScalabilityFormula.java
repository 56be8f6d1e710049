package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;

/**
 * A pass that takes longer with more slots because of contention and coordination: {@code (a + b m) (1 + s (k - 1) + c
 * k (k - 1))}. With c = 0 it is Amdahl's law. Source: Gunther, Guerrilla Capacity Planning, 2007 (universal scalability
 * law). It is the fallback with few points, because it has only four parameters.
 */
final class ScalabilityFormula implements Formula {
    @Override
    public String name() {
        return "usl";
    }

    @Override
    public boolean covers(SyncStrategy strategy) {
        return true;
    }

    @Override
    public Gaussian usual(double seconds, double perSlotBatch) {
        double time = Math.log(seconds);
        return Gaussian.independent(
                new double[] {time - 1.5, time - 0.3 - Math.log(perSlotBatch), Math.log(0.1), Math.log(0.001)},
                new double[] {1.2, 0.7, 1.2, 1.5});
    }

    @Override
    public double[] times() {
        return new double[] {1, 1, 0, 0};
    }

    @Override
    public double logSeconds(double[] p, StepShape shape) {
        double pass = Math.exp(p[0]) + Math.exp(p[1]) * shape.perSlotBatch();
        double others = shape.slots() - 1;
        double contention = 1 + Math.exp(p[2]) * others + Math.exp(p[3]) * shape.slots() * others;
        return Math.log(pass * (shape.accumulationSteps() + contention));
    }
}
