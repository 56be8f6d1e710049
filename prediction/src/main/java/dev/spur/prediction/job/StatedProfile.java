package dev.spur.prediction.job;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.online.LogResidual;
import dev.spur.prediction.online.ResidualModel;
import dev.spur.prediction.speed.SpeedModel;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.Thinning;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The profile that a job came with, put right by what the job reported. As long as reports and profile agree, it is
 * taken as it is; once they do not, every point of it is corrected as far as the reports tell of it.
 */
final class StatedProfile {
    /** Noise of a measurement, as a difference of logarithms: what a corrected point is less certain than. */
    private static final double NOISE = 0.05;

    /** Stated points that a fit looks at. */
    private static final int ENOUGH = 24;

    private record Way(String acceleratorType, SyncStrategy strategy) {}

    private final Map<ProfilePoint, ProfilePoint> points = new LinkedHashMap<>();
    private final BatchLimits batch;
    private final Map<Way, SpeedModel> models = new HashMap<>();
    private final ResidualModel correction;

    StatedProfile(ThroughputProfile profile, BatchLimits batch, List<TypedObservation> reported) {
        this.batch = batch;
        profile.points().forEach(point -> points.put(key(point), point));
        correction = ResidualModel.of(surprises(reported));
    }

    /** A point without its throughput. */
    static ProfilePoint key(ProfilePoint point) {
        return with(point, 0);
    }

    private static ProfilePoint with(ProfilePoint point, double samplesPerSecond) {
        return new ProfilePoint(
                point.acceleratorType(),
                point.slots(),
                point.nodes(),
                point.batchSize(),
                point.strategy(),
                point.aggregationSlots(),
                samplesPerSecond);
    }

    private List<LogResidual> surprises(List<TypedObservation> reported) {
        if (reported.isEmpty() || points.isEmpty()) {
            return List.of();
        }
        fit();
        List<LogResidual> surprises = new ArrayList<>();
        for (TypedObservation typed : reported) {
            StepObservation seen = typed.observation();
            expected(typed.acceleratorType(), seen.shape())
                    .ifPresent(seconds -> surprises.add(
                            LogResidual.of(typed.acceleratorType(), seen.shape(), seen.stepSeconds(), seconds)));
        }
        return surprises;
    }

    private void fit() {
        Map<Way, List<StepObservation>> byWay = new LinkedHashMap<>();
        for (TypedObservation typed : asStated()) {
            byWay.computeIfAbsent(
                            new Way(
                                    typed.acceleratorType(),
                                    typed.observation().shape().strategy()),
                            way -> new ArrayList<>())
                    .add(typed.observation());
        }
        byWay.forEach((way, observations) -> models.put(way, SpeedModels.fit(Thinning.of(observations, ENOUGH))));
    }

    /**
     * Seconds of a step by the profile: as it states them, or as a formula fitted to it has them; empty on a type it
     * lacks.
     */
    private Optional<Double> expected(String type, StepShape shape) {
        ProfilePoint stated = points.get(new ProfilePoint(
                type,
                shape.slots(),
                shape.nodes(),
                (int) Math.round(shape.batchSize()),
                shape.strategy(),
                shape.aggregationSlots(),
                0));
        if (stated != null && stated.samplesPerSecond() > 0) {
            return Optional.of(shape.batchSize() / stated.samplesPerSecond());
        }
        return Optional.ofNullable(models.get(new Way(type, shape.strategy()))).map(model -> model.stepSeconds(shape));
    }

    private List<TypedObservation> asStated() {
        return points.values().stream()
                .filter(point -> point.samplesPerSecond() > 0)
                .map(this::observation)
                .toList();
    }

    private TypedObservation observation(ProfilePoint point) {
        return TypedObservation.of(
                point, batch.accumulationSteps(point.batchSize(), point.acceleratorType(), point.slots()));
    }

    /** True if nothing that was reported contradicts the profile. */
    boolean holds() {
        return !correction.isCertain();
    }

    /** The stated point for the configuration of {@code wanted}, if it is stated and holds; empty otherwise. */
    Optional<ProfilePoint> point(ProfilePoint wanted) {
        ProfilePoint stated = points.get(key(wanted));
        return stated != null && (holds() || stated.samplesPerSecond() == 0) ? Optional.of(stated) : Optional.empty();
    }

    /** All configurations that are stated, as points without throughput. */
    List<ProfilePoint> configurations() {
        return List.copyOf(points.keySet());
    }

    /**
     * The stated points as observations, corrected where reports contradict them, and then believed less the less is
     * known.
     */
    List<TypedObservation> observations() {
        if (holds()) {
            return asStated();
        }
        return asStated().stream().map(this::corrected).toList();
    }

    private TypedObservation corrected(TypedObservation stated) {
        StepObservation before = stated.observation();
        ResidualModel.Amount amount = correction.at(LogResidual.of(stated.acceleratorType(), before.shape(), 1, 1));
        double weight = NOISE * NOISE / (NOISE * NOISE + amount.variance());
        return new TypedObservation(
                stated.acceleratorType(),
                new StepObservation(before.shape(), before.stepSeconds() * Math.exp(amount.log()), weight));
    }
}
