package dev.spur.prediction.plan;

import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Selects the profiling run with the highest information gain for one job over all types of a cluster. Types with data
 * are evaluated by {@link ProfilingPlan}. For a type without data, the candidate is a run in the smallest shape.
 */
public final class ClusterProfilingPlan {
    /**
     * Variance of the logarithm of a step time on a type without data, which one run there removes. The ratio of types
     * differs between families, by about 40 % where other families provide data for the type.
     */
    private static final double UNKNOWN_TYPE = 0.4 * 0.4;

    /**
     * Minimum mean variance that a run must remove to justify its restarts: a standard deviation of 10 %. In a replay
     * without this limit, jobs moved eleven times each.
     */
    private static final double WORTH_A_RUN = 0.1 * 0.1;
    /** Coverage probability of the intervals whose variances are compared, and the corresponding normal quantile. */
    private static final double PROBABILITY = 0.8;

    private static final double NORMAL = 1.2816;

    private record Way(String acceleratorType, SyncStrategy strategy) {}

    private ClusterProfilingPlan() {}

    /**
     * Returns the next run; empty if none is within the budget or all shapes are known well enough.
     *
     * @param predictor predictor of the job
     * @param desiredPoints configurations whose speed is required, as points whose throughput is ignored
     * @param passes passes of a step before the last one, by configuration
     * @param mayRun configurations in which a run is permitted
     */
    public static Optional<ProfilingRun> next(
            JobPredictor predictor,
            List<ProfilePoint> desiredPoints,
            ToIntFunction<ProfilePoint> passes,
            Predicate<ProfilePoint> mayRun,
            ProfilingBudget budget) {
        Map<Way, List<ProfilePoint>> pointsByWay = new LinkedHashMap<>();
        desiredPoints.forEach(point -> pointsByWay
                .computeIfAbsent(new Way(point.acceleratorType(), point.strategy()), way -> new ArrayList<>())
                .add(point));
        List<ProfilingRun> best = new ArrayList<>();
        pointsByWay.forEach((way, points) -> {
            Optional<PredictiveDistribution> known = predictor.forecast(way.acceleratorType, way.strategy);
            List<StepShape> all =
                    points.stream().map(point -> shape(point, passes)).toList();
            List<StepShape> allowedShapes = points.stream()
                    .filter(mayRun)
                    .map(point -> shape(point, passes))
                    .toList();
            known.map(distribution -> ProfilingPlan.next(way.acceleratorType, distribution, all, allowedShapes, budget)
                            .map(run -> asForecast(run, distribution)))
                    .orElseGet(() -> blind(way, predictor, pointsByWay, allowedShapes, budget))
                    .ifPresent(best::add);
        });
        return best.stream()
                .filter(run -> run.gain() >= WORTH_A_RUN)
                .max(Comparator.comparingDouble(ProfilingPlan::worth));
    }

    /**
     * Returns the run with its gain by the calibrated intervals, which are wider than those of the parameters alone.
     */
    private static ProfilingRun asForecast(ProfilingRun run, PredictiveDistribution distribution) {
        double wider = distribution.deviations(PROBABILITY) / NORMAL;
        return new ProfilingRun(run.acceleratorType(), run.shape(), run.seconds(), run.gain() * wider * wider);
    }

    private static StepShape shape(ProfilePoint point, ToIntFunction<ProfilePoint> passes) {
        return StepShape.ofBatch(
                point.slots(), point.nodes(), point.batchSize(), passes.applyAsInt(point), point.aggregationSlots());
    }

    /**
     * Returns a run on a type without data; a step there is assumed to last as long as on another type, or one second.
     */
    private static Optional<ProfilingRun> blind(
            Way way,
            JobPredictor predictor,
            Map<Way, List<ProfilePoint>> pointsByWay,
            List<StepShape> allowedShapes,
            ProfilingBudget budget) {
        return allowedShapes.stream()
                .min(Comparator.comparingInt(StepShape::slots).thenComparingDouble(StepShape::perSlotBatch))
                .map(shape -> {
                    double step = pointsByWay.keySet().stream()
                            .filter(other -> other.strategy == way.strategy)
                            .flatMap(other -> predictor.forecast(other.acceleratorType, other.strategy).stream())
                            .mapToDouble(distribution -> distribution.stepSeconds(shape))
                            .findFirst()
                            .orElse(1);
                    double seconds = budget.startSeconds() + budget.steps() * step;
                    return new ProfilingRun(way.acceleratorType, shape, seconds, UNKNOWN_TYPE);
                })
                .filter(run -> run.slotSeconds() <= budget.slotSeconds());
    }
}
