package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.job.Synchronization;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.job.PredictionGrid;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.prediction.plan.ClusterProfilingPlan;
import dev.spur.prediction.plan.ProfilingBudget;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Selection of the next profiling target of a job of one model, by the profiling plan of the service. A job is profiled
 * only in the first tenth of its work, because this selection never drops shapes that lack free slots. The job chooses
 * its batch sizes itself.
 *
 * <p>Each shape in which the job has run counts as a run of two rounds against a budget. The budget is a hundredth of
 * the time that the job takes on one slot.
 */
final class ProfilingTargetSelection {
    private static final double FIRST = 0.1;
    private static final double BUDGET = 0.01;
    /** Seconds of a run before its first observation, at rounds of one minute. */
    private static final double START_SECONDS = 120;

    private static final int STEPS = 20;

    private record Shape(String type, int slots, int nodes) {}

    private record Known(
            List<Configuration> pastConfigurations, List<Configuration> familyConfigurations, int maxSlots) {}

    private final AdaptiveSpecs specs;
    private final PredictedSpeeds predicted;
    /** Slot-seconds. */
    private final double budget;

    private final Map<Known, Optional<ProfilingTarget>> targets = new ConcurrentHashMap<>();

    ProfilingTargetSelection(AdaptiveSpecs specs, PredictedSpeeds predicted) {
        this.specs = specs;
        this.predicted = predicted;
        double alone = specs.adaptive().secondsAlone(specs.inventory(), 1);
        budget = Double.isFinite(alone) ? BUDGET * alone : 0;
    }

    /**
     * Returns the next shape whose information justifies its cost, if any.
     *
     * @param done effective samples done
     * @param maxSlots maximum number of slots of the job
     */
    Optional<ProfilingTarget> next(
            double done,
            List<Configuration> pastConfigurations,
            List<Configuration> familyConfigurations,
            int maxSlots) {
        return done > FIRST * specs.adaptive().totalSamples()
                ? Optional.empty()
                : targets.computeIfAbsent(new Known(pastConfigurations, familyConfigurations, maxSlots), this::choose);
    }

    private Optional<ProfilingTarget> choose(Known known) {
        Set<Shape> over = new LinkedHashSet<>();
        known.pastConfigurations.forEach(pastConfiguration -> over.add(new Shape(
                pastConfiguration.acceleratorType(),
                pastConfiguration.slots(),
                pastConfiguration.shape().size())));
        double spent =
                over.stream().mapToDouble(shape -> shape.slots * START_SECONDS).sum();
        List<TypeOffer> offers = specs.types().stream()
                .map(type -> new TypeOffer(
                        type, specs.inventory().perNode(type), specs.inventory().slots(type)))
                .toList();
        BatchLimits limits = specs.limits();
        List<ProfilePoint> points = new PredictionGrid(
                        offers, Elasticity.between(1, known.maxSlots), limits, Synchronization.allReduceOnly())
                .points();
        return ClusterProfilingPlan.next(
                        predicted.predictor(known.pastConfigurations, known.familyConfigurations),
                        points,
                        point -> limits.accumulationSteps(point.batchSize(), point.acceleratorType(), point.slots()),
                        point -> !over.contains(new Shape(point.acceleratorType(), point.slots(), point.nodes())),
                        new ProfilingBudget(Math.max(0, budget - spent), START_SECONDS, STEPS))
                .map(run -> new ProfilingTarget(
                        run.acceleratorType(),
                        run.shape().slots(),
                        run.shape().nodes(),
                        SyncStrategy.ALL_REDUCE,
                        0,
                        null));
    }
}
