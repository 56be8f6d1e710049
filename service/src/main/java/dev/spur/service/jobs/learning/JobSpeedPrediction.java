package dev.spur.service.jobs.learning;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.prediction.job.PredictionGrid;
import dev.spur.prediction.job.PredictionInput;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.prediction.plan.ClusterProfilingPlan;
import dev.spur.prediction.plan.ProfilingBudget;
import dev.spur.prediction.plan.ProfilingRun;
import dev.spur.prediction.speed.TypedObservation;
import dev.spur.solver.recommend.SpeedUncertainty;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hipparchus.distribution.continuous.NormalDistribution;

/** Predicted speed of one job on the types of a cluster, with its uncertainty. */
public final class JobSpeedPrediction implements SpeedUncertainty {
    /** Coverage of prediction intervals. */
    public static final double PROBABILITY = 0.8;

    /**
     * Deviation between two runs in the same configuration, as a standard deviation of logarithms. The value is the
     * median of six models, measured on placements that differ only in the order of the nodes (artifact of Sia, SOSP
     * '23).
     */
    private static final double BETWEEN_RUNS = 0.037;
    /** Assumed number of warm steps of a profiling run: those of two reports, of which the first may be cold. */
    private static final int MEASURED_STEPS = 40;
    /** Half the width of an interval, in standard deviations. */
    private static final double DEVIATIONS =
            new NormalDistribution().inverseCumulativeProbability((1 + PROBABILITY) / 2);

    private final JobSpec stated;
    private final PredictionGrid grid;
    private final JobPredictor predictor;
    private final PredictedProfile predicted;

    private JobSpeedPrediction(
            JobSpec stated, PredictionGrid grid, JobPredictor predictor, PredictedProfile predicted) {
        this.stated = stated;
        this.grid = grid;
        this.predictor = predictor;
        this.predicted = predicted;
    }

    /**
     * Returns the prediction for a job.
     *
     * @param stated specification of the job
     * @param reported measurements of the job
     * @param families measurements of other jobs
     * @param offers types of the cluster
     */
    public static JobSpeedPrediction of(
            JobSpec stated, List<TypedObservation> reported, Families families, List<TypeOffer> offers) {
        PredictionInput facts = new PredictionInput(stated.family(), stated.profile(), reported, stated.batch());
        JobPredictor predictor = new JobPredictor(facts, families);
        PredictionGrid grid = new PredictionGrid(offers, stated.elasticity(), stated.batch(), stated.synchronization());
        return new JobSpeedPrediction(stated, grid, predictor, predictor.profile(grid, PROBABILITY));
    }

    /** Returns the predictions for all configurations that a round may request. */
    public PredictedProfile profile() {
        return predicted;
    }

    /** Returns the stated specification with the predicted speeds. */
    public JobSpec spec(RiskAttitude attitude) {
        return stated.withSpeed(predicted.profile(attitude), stated.efficiency());
    }

    /** Returns the prediction for one configuration. */
    public Prediction prediction(Configuration shape) {
        return predictor.predict(
                new ProfilePoint(
                        shape.acceleratorType(),
                        shape.slots(),
                        shape.nodes(),
                        shape.batchSize(),
                        shape.strategy(),
                        shape.aggregationSlots(),
                        0),
                PROBABILITY);
    }

    /**
     * Returns the run with the most information about the speed per cost; empty if no run that adds information fits
     * into {@code slotSeconds}.
     *
     * @param closed configurations that must not be profiled
     */
    public Optional<ProfilingRun> nextRun(double slotSeconds, Collection<ProfilingTarget> closed) {
        ProfilingBudget budget = new ProfilingBudget(slotSeconds, stated.restartPenaltySeconds(), MEASURED_STEPS);
        return ClusterProfilingPlan.next(
                predictor,
                sparse(plannedPoints()),
                point -> stated.batch().accumulationSteps(point.batchSize(), point.acceleratorType(), point.slots()),
                point -> closed.stream().noneMatch(profilingTarget -> isOf(point, profilingTarget)),
                budget);
    }

    private List<ProfilePoint> plannedPoints() {
        BatchLimits limits = stated.plannedBatch();
        return grid.points().stream()
                .filter(point -> limits.allows(point.batchSize(), point.acceleratorType(), point.slots()))
                .toList();
    }

    /**
     * Returns the points with the smallest, the middle and the largest batch size of each configuration; those between
     * are interpolated.
     */
    private static List<ProfilePoint> sparse(List<ProfilePoint> points) {
        Map<List<Object>, List<ProfilePoint>> byShape = points.stream()
                .collect(Collectors.groupingBy(
                        point -> List.of(
                                point.acceleratorType(),
                                point.slots(),
                                point.nodes(),
                                point.strategy(),
                                point.aggregationSlots()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return byShape.values().stream()
                .flatMap(all -> Stream.of(all.get(0), all.get(all.size() / 2), all.get(all.size() - 1))
                        .distinct())
                .toList();
    }

    private static boolean isOf(ProfilePoint point, ProfilingTarget profilingTarget) {
        Integer batch = profilingTarget.batchSize();
        return point.acceleratorType().equals(profilingTarget.acceleratorType())
                && point.slots() == profilingTarget.slots()
                && point.nodes() == profilingTarget.nodes()
                && point.strategy() == profilingTarget.strategy()
                && point.aggregationSlots() == profilingTarget.aggregationSlots()
                && (batch == null || batch == point.batchSize());
    }

    @Override
    public double of(Configuration configuration) {
        Prediction prediction = prediction(configuration);
        double median = prediction.point().samplesPerSecond();
        if (median == 0 || prediction.low() == 0) {
            return BETWEEN_RUNS;
        }
        return Math.hypot(BETWEEN_RUNS, Math.log(median / prediction.low()) / DEVIATIONS);
    }
}
