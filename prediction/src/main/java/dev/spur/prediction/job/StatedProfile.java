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
 * The submitted profile of a job, corrected by the job's reports. While reports and profile agree, the profile is used
 * unchanged. Otherwise every point is corrected by the residual model of the reports.
 */
final class StatedProfile {
    /** Noise of a measurement as a difference of logarithms; a corrected point is at least as uncertain. */
    private static final double NOISE = 0.05;

    /** Maximum number of stated points in a fit. */
    private static final int ENOUGH = 24;

    private record Way(String acceleratorType, SyncStrategy strategy) {}

    private final Map<ProfilePoint, ProfilePoint> points = new LinkedHashMap<>();
    private final BatchLimits batch;
    private final Map<Way, SpeedModel> models = new HashMap<>();
    private final ResidualModel residualModel;

    StatedProfile(ThroughputProfile profile, BatchLimits batch, List<TypedObservation> observations) {
        this.batch = batch;
        profile.points().forEach(point -> points.put(key(point), point));
        residualModel = ResidualModel.of(residuals(observations));
    }

    /** Returns a point without its throughput. */
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

    private List<LogResidual> residuals(List<TypedObservation> observations) {
        if (observations.isEmpty() || points.isEmpty()) {
            return List.of();
        }
        fit();
        List<LogResidual> residuals = new ArrayList<>();
        for (TypedObservation typed : observations) {
            StepObservation seen = typed.observation();
            stepSeconds(typed.acceleratorType(), seen.shape())
                    .ifPresent(seconds -> residuals.add(
                            LogResidual.of(typed.acceleratorType(), seen.shape(), seen.stepSeconds(), seconds)));
        }
        return residuals;
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
     * Returns the seconds of a step by the profile: the stated value, or else that of a formula fitted to the profile;
     * empty on a type that it lacks.
     */
    private Optional<Double> stepSeconds(String type, StepShape shape) {
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

    /** Returns true if no report contradicts the profile. */
    boolean holds() {
        return !residualModel.isCertain();
    }

    /** Returns the stated point for the configuration of {@code point}, if it is stated and not contradicted. */
    Optional<ProfilePoint> point(ProfilePoint point) {
        ProfilePoint stated = points.get(key(point));
        return stated != null && (holds() || stated.samplesPerSecond() == 0) ? Optional.of(stated) : Optional.empty();
    }

    /** Returns all stated configurations as points without throughput. */
    List<ProfilePoint> configurations() {
        return List.copyOf(points.keySet());
    }

    /**
     * Returns the stated points as observations. Where reports contradict them, they are corrected, with a weight that
     * decreases with the uncertainty.
     */
    List<TypedObservation> observations() {
        if (holds()) {
            return asStated();
        }
        return asStated().stream().map(this::correct).toList();
    }

    private TypedObservation correct(TypedObservation statedObservation) {
        StepObservation before = statedObservation.observation();
        ResidualModel.Amount amount =
                residualModel.at(LogResidual.of(statedObservation.acceleratorType(), before.shape(), 1, 1));
        double weight = NOISE * NOISE / (NOISE * NOISE + amount.variance());
        return new TypedObservation(
                statedObservation.acceleratorType(),
                new StepObservation(before.shape(), before.stepSeconds() * Math.exp(amount.log()), weight));
    }
}
