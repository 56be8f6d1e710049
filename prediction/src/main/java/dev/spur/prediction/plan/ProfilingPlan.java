package dev.spur.prediction.plan;

import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.StepShape;
import java.util.List;
import java.util.Optional;

/**
 * Selects the profiling run with the highest information gain per cost. The predictions are normally distributed, so
 * that the variance reduction by a measurement of one shape can be computed before the run: {@code cov(x, y)^2 /
 * (var(x) + noise)}. The score of a run is the mean of this reduction over all shapes, divided by the slot-seconds of
 * the run. Source of the criterion: Cohn, Neural network exploration using optimal experiment design, 1996 (expected
 * reduction of variance); the division by cost is our addition.
 */
public final class ProfilingPlan {
    /** Variance of a shape below which a further run does not justify a start. */
    private static final double ENOUGH = 0.03 * 0.03;

    private ProfilingPlan() {}

    /**
     * Returns the next run on {@code type}; empty if none is within the budget or all shapes are known well enough.
     *
     * @param distribution current predictive distribution
     * @param shapes shapes whose speed is required, and in which a run is permitted
     */
    public static Optional<ProfilingRun> next(
            String type, PredictiveDistribution distribution, List<StepShape> shapes, ProfilingBudget budget) {
        return next(type, distribution, shapes, shapes, budget);
    }

    /** Returns the next run, if runs are permitted only in {@code allowedShapes}. */
    static Optional<ProfilingRun> next(
            String type,
            PredictiveDistribution distribution,
            List<StepShape> shapes,
            List<StepShape> allowedShapes,
            ProfilingBudget budget) {
        ProfilingRun best = null;
        for (StepShape shape : allowedShapes) {
            double seconds = budget.startSeconds() + budget.steps() * distribution.stepSeconds(shape);
            if (seconds * shape.slots() <= budget.slotSeconds()) {
                double gain = gain(distribution, shape, shapes);
                ProfilingRun run = new ProfilingRun(type, shape, seconds, gain);
                if (gain > ENOUGH && (best == null || worth(run) > worth(best))) {
                    best = run;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns the variance reduction of a run per slot-second. */
    static double worth(ProfilingRun run) {
        return run.gain() / run.slotSeconds();
    }

    /** Returns the mean variance that a measurement of {@code shape} removes. */
    private static double gain(PredictiveDistribution distribution, StepShape shape, List<StepShape> shapes) {
        double measured = distribution.covariance(shape, shape) + distribution.noise();
        double sum = 0;
        for (StepShape other : shapes) {
            double shared = distribution.covariance(shape, other);
            sum += shared * shared / measured;
        }
        return sum / shapes.size();
    }
}
