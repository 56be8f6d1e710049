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
 * In which shape a job of one model is measured next, by the plan that the service follows. A job is measured in the
 * first tenth of its work alone, since shapes that others leave no room for are not given up here; batch sizes it
 * chooses itself. Each shape in which it has run counts as a run, two rounds long, against a budget: a hundredth of the
 * time that the job takes on one slot.
 */
final class ProfilingTargetSelection {
    private static final double FIRST = 0.1;
    private static final double BUDGET = 0.01;
    /** Of a run before it tells anything, rounds being a minute long. */
    private static final double START_SECONDS = 120;

    private static final int STEPS = 20;

    private record Shape(String type, int slots, int nodes) {}

    private record Known(List<Configuration> ran, List<Configuration> kin, int mostSlots) {}

    private final AdaptiveSpecs specs;
    private final PredictedSpeeds predicted;
    /** Slot-seconds. */
    private final double budget;

    private final Map<Known, Optional<ProfilingTarget>> chosen = new ConcurrentHashMap<>();

    ProfilingTargetSelection(AdaptiveSpecs specs, PredictedSpeeds predicted) {
        this.specs = specs;
        this.predicted = predicted;
        double alone = specs.adaptive().secondsAlone(specs.fleet(), 1);
        budget = Double.isFinite(alone) ? BUDGET * alone : 0;
    }

    /** The shape, if any is worth it, for a job that has done so much and may get at most so many slots. */
    Optional<ProfilingTarget> next(double done, List<Configuration> ran, List<Configuration> kin, int mostSlots) {
        return done > FIRST * specs.adaptive().totalSamples()
                ? Optional.empty()
                : chosen.computeIfAbsent(new Known(ran, kin, mostSlots), this::choose);
    }

    private Optional<ProfilingTarget> choose(Known known) {
        Set<Shape> over = new LinkedHashSet<>();
        known.ran.forEach(ran -> over.add(
                new Shape(ran.acceleratorType(), ran.slots(), ran.shape().size())));
        double spent =
                over.stream().mapToDouble(shape -> shape.slots * START_SECONDS).sum();
        List<TypeOffer> offers = specs.types().stream()
                .map(type -> new TypeOffer(
                        type, specs.fleet().perNode(type), specs.fleet().slots(type)))
                .toList();
        BatchLimits limits = specs.limits();
        List<ProfilePoint> wanted = new PredictionGrid(
                        offers, Elasticity.between(1, known.mostSlots), limits, Synchronization.allReduceOnly())
                .points();
        return ClusterProfilingPlan.next(
                        predicted.predictor(known.ran, known.kin),
                        wanted,
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
