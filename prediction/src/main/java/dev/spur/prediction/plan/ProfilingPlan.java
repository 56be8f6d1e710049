package dev.spur.prediction.plan;

import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.StepShape;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the run that tells most. What is known is normally distributed, so how much a measurement of one shape would
 * narrow the others is known before it is made: by {@code cov(x, y)^2 / (var(x) + noise)}. The mean of that over all
 * shapes, over the slot-seconds of the run, is what a run is judged by. Source of the criterion: Cohn, Neural network
 * exploration using optimal experiment design, 1996 (expected reduction of variance); the cost is ours.
 */
public final class ProfilingPlan {
    /** Variance of a shape below which one more run is not worth a start. */
    private static final double ENOUGH = 0.03 * 0.03;

    private ProfilingPlan() {}

    /**
     * The run to make next on {@code type}; empty if none fits the budget or all shapes are known well enough.
     *
     * @param forecast what is known now
     * @param shapes shapes whose speed is wanted, and in which a run may be made
     */
    public static Optional<ProfilingRun> next(
            String type, PredictiveDistribution forecast, List<StepShape> shapes, ProfilingBudget budget) {
        return next(type, forecast, shapes, shapes, budget);
    }

    /** The same, where runs may be made in {@code allowed} alone. */
    static Optional<ProfilingRun> next(
            String type,
            PredictiveDistribution forecast,
            List<StepShape> shapes,
            List<StepShape> allowed,
            ProfilingBudget budget) {
        ProfilingRun best = null;
        for (StepShape shape : allowed) {
            double seconds = budget.startSeconds() + budget.steps() * forecast.stepSeconds(shape);
            if (seconds * shape.slots() <= budget.slotSeconds()) {
                double gain = gain(forecast, shape, shapes);
                ProfilingRun run = new ProfilingRun(type, shape, seconds, gain);
                if (gain > ENOUGH && (best == null || worth(run) > worth(best))) {
                    best = run;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** What a run tells for what it costs. */
    static double worth(ProfilingRun run) {
        return run.gain() / run.slotSeconds();
    }

    /** Mean variance that a measurement of {@code shape} takes away. */
    private static double gain(PredictiveDistribution forecast, StepShape shape, List<StepShape> shapes) {
        double measured = forecast.covariance(shape, shape) + forecast.noise();
        double sum = 0;
        for (StepShape other : shapes) {
            double shared = forecast.covariance(shape, other);
            sum += shared * shared / measured;
        }
        return sum / shapes.size();
    }
}
