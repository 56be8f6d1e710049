package dev.spur.prediction.job;

import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.TypeRatio;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.speed.PredictionInterval;
import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.SpeedPrior;
import dev.spur.prediction.speed.SpeedShift;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.Thinning;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Predicts the speed of one job in every configuration. A measured configuration keeps its measured value. Other
 * configurations use the first source with data:
 *
 * <ul>
 *   <li>a formula fitted to the job's own steps on that type;
 *   <li>the job's family on that type, adjusted by the difference between job and family on types where both ran;
 *   <li>the job, or its family, on another type, times the usual ratio of the two types;
 *   <li>a ratio that the job states.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class JobPredictor {
    /** Standard deviation of the difference between a job and its family from type to type. */
    private static final double DRIFT_BETWEEN_TYPES = 0.1;
    /** Standard deviation of the error of a stated ratio. */
    private static final double STATED_RATIO = 0.2;

    /** Maximum number of stated points in a fit. */
    private static final int ENOUGH = 24;

    private record Way(String acceleratorType, SyncStrategy strategy) {}

    private record Source(PredictiveDistribution forecast, Origin origin) {}

    private record PriorKnowledge(SpeedPrior prior, Origin origin) {}

    private final PredictionInput input;
    private final Families families;
    private final Map<Way, List<StepObservation>> ownObservations;
    private final StatedProfile stated;
    private final Map<Way, Optional<Source>> sources = new ConcurrentHashMap<>();

    public JobPredictor(PredictionInput input, Families families) {
        this.input = input;
        this.families = families;
        stated = new StatedProfile(input.knownProfile(), input.batch(), input.observations());
        ownObservations = ownObservations();
    }

    private Map<Way, List<StepObservation>> ownObservations() {
        Map<Way, List<StepObservation>> all = new LinkedHashMap<>();
        byWay(input.observations()).forEach((way, seen) -> all.put(way, new ArrayList<>(seen)));
        byWay(stated.observations())
                .forEach((way, seen) ->
                        all.computeIfAbsent(way, w -> new ArrayList<>()).addAll(Thinning.of(seen, ENOUGH)));
        return all;
    }

    private static Map<Way, List<StepObservation>> byWay(List<TypedObservation> observations) {
        return observations.stream()
                .collect(Collectors.groupingBy(
                        typed -> new Way(
                                typed.acceleratorType(),
                                typed.observation().shape().strategy()),
                        LinkedHashMap::new,
                        Collectors.mapping(TypedObservation::observation, Collectors.toList())));
    }

    /** Returns true if there is any data for {@code type}. */
    public boolean supports(String type, SyncStrategy strategy) {
        return source(new Way(type, strategy)).isPresent();
    }

    /** Returns the model behind predictions on {@code type}; empty if there is no data for it. */
    public Optional<PredictiveDistribution> forecast(String type, SyncStrategy strategy) {
        return source(new Way(type, strategy)).map(Source::forecast);
    }

    /**
     * Returns the predicted speed in the configuration of {@code point}, whose own throughput is ignored, with limits
     * that contain it with {@code probability}.
     */
    public Prediction predict(ProfilePoint point, double probability) {
        ProfilePoint known = stated.point(point).orElse(null);
        if (known != null) {
            return new Prediction(known, known.samplesPerSecond(), known.samplesPerSecond(), Origin.MEASURED, null);
        }
        return source(new Way(point.acceleratorType(), point.strategy()))
                .map(source -> predict(source, point, probability))
                .orElseGet(() -> assume(point));
    }

    /**
     * Returns the predictions for a planner: the stated points, and the points of {@code grid} for which there is data.
     * They have at most twice as many slots as the job or its family was measured on, or the next number in the grid. A
     * job without any data gets its smallest shape on every type, as in the published simulators (Sia, SOSP '23).
     */
    public PredictedProfile profile(PredictionGrid grid, double probability) {
        Map<ProfilePoint, Prediction> predictions = new LinkedHashMap<>();
        stated.configurations().forEach(point -> predictions.put(point, predict(point, probability)));
        for (ProfilePoint desiredPoint : grid.upTo(2 * measuredSlots())) {
            if (supports(desiredPoint.acceleratorType(), desiredPoint.strategy())) {
                predictions.computeIfAbsent(StatedProfile.key(desiredPoint), point -> predict(point, probability));
            }
        }
        if (predictions.isEmpty()) {
            grid.smallest().forEach(point -> predictions.put(point, predict(point, probability)));
        }
        return new PredictedProfile(List.copyOf(predictions.values()));
    }

    /** Returns the maximum number of slots of a step of the job or its family; 0 if there is none. */
    private int measuredSlots() {
        return IntStream.concat(
                        ownObservations.values().stream()
                                .flatMap(List::stream)
                                .mapToInt(observation -> observation.shape().slots()),
                        families.of(input.family()).steps().stream()
                                .mapToInt(step -> step.shape().slots()))
                .max()
                .orElse(0);
    }

    private Prediction predict(Source source, ProfilePoint point, double probability) {
        int batch = point.batchSize();
        StepShape shape = StepShape.ofBatch(
                point.slots(),
                point.nodes(),
                batch,
                input.batch().accumulationSteps(batch, point.acceleratorType(), point.slots()),
                point.aggregationSlots());
        PredictionInterval seconds = source.forecast.band(shape, probability);
        PredictionInterval throughput =
                new PredictionInterval(batch / seconds.high(), batch / seconds.median(), batch / seconds.low());
        return Prediction.of(point, throughput, source.origin, source.forecast.formula());
    }

    /** Returns the placeholder of an unknown speed: one step per second. */
    private static Prediction assume(ProfilePoint point) {
        double speed = point.batchSize();
        return Prediction.of(point, new PredictionInterval(speed, speed, speed), Origin.ASSUMED, null);
    }

    private Optional<Source> source(Way way) {
        Optional<Source> known = sources.get(way);
        if (known == null) {
            known = find(way);
            sources.put(way, known);
        }
        return known;
    }

    private Optional<Source> find(Way way) {
        List<StepObservation> measured = ownObservations.getOrDefault(way, List.of());
        Optional<PriorKnowledge> foreknowledge = priorKnowledge(way);
        if (!measured.isEmpty()) {
            SpeedPrior prior = foreknowledge
                    .map(PriorKnowledge::prior)
                    .orElseGet(() -> families.usual(input.family(), way.acceleratorType, way.strategy));
            return Optional.of(new Source(SpeedModels.fit(measured, prior), Origin.FITTED));
        }
        return foreknowledge.map(known -> new Source(known.prior.forecast(way.strategy), known.origin));
    }

    private Optional<PriorKnowledge> priorKnowledge(Way way) {
        SpeedPrior familyPrior = families.prior(input.family(), way.acceleratorType, way.strategy);
        if (!familyPrior.isEmpty()) {
            return Optional.of(new PriorKnowledge(adjust(familyPrior, way), Origin.FAMILY));
        }
        Optional<TypeRatio> ratio = input.statedProfile().ratios().stream()
                .filter(r -> r.acceleratorType().equals(way.acceleratorType))
                .findFirst();
        if (ratio.isPresent()) {
            TypeRatio known = ratio.get();
            return ofType(known.like(), way.strategy)
                    .map(prior -> new PriorKnowledge(prior.times(1 / known.factor(), STATED_RATIO), Origin.RATIO));
        }
        return byOtherType(way);
    }

    /** Returns the prior of the family, scaled by the mean difference of this job from it on other types. */
    private SpeedPrior adjust(SpeedPrior prior, Way way) {
        List<Double> logs = new ArrayList<>();
        ownObservations.forEach((other, measured) -> {
            if (other.strategy == way.strategy && !other.equals(way)) {
                families.fit(input.family(), other.acceleratorType, other.strategy)
                        .ifPresent(fit -> measured.forEach(
                                o -> logs.add(Math.log(o.stepSeconds() / fit.stepSeconds(o.shape())))));
            }
        });
        return logs.isEmpty()
                ? prior
                : prior.times(
                        Math.exp(logs.stream().mapToDouble(x -> x).average().orElseThrow()), DRIFT_BETWEEN_TYPES);
    }

    /**
     * Returns the prior from the type on which most families ran in addition to the wanted one, among those with data
     * of this job or its family.
     */
    private Optional<PriorKnowledge> byOtherType(Way way) {
        String best = null;
        long max = 0;
        for (String like : typesLike(way)) {
            long families = this.families.onBoth(like, way.acceleratorType, way.strategy);
            if (families > max) {
                max = families;
                best = like;
            }
        }
        if (best == null) {
            return Optional.empty();
        }
        Optional<SpeedShift> shift = families.shift(best, way.acceleratorType, way.strategy);
        return ofType(best, way.strategy)
                .flatMap(prior -> shift.map(s -> new PriorKnowledge(prior.shift(s), Origin.RATIO)));
    }

    private List<String> typesLike(Way way) {
        List<String> own = this.ownObservations.keySet().stream()
                .filter(other -> other.strategy == way.strategy && !other.equals(way))
                .map(Way::acceleratorType)
                .toList();
        Set<String> ofFamily = families.of(input.family()).acceleratorTypes(way.strategy);
        return own.isEmpty()
                ? ofFamily.stream()
                        .filter(type -> !type.equals(way.acceleratorType))
                        .toList()
                : own;
    }

    private Optional<SpeedPrior> ofType(String type, SyncStrategy strategy) {
        List<StepObservation> measured = ownObservations.getOrDefault(new Way(type, strategy), List.of());
        SpeedPrior prior = families.prior(input.family(), type, strategy);
        if (!measured.isEmpty()) {
            return Optional.of(SpeedPrior.of(
                    measured, prior.isEmpty() ? families.usual(input.family(), type, strategy) : prior, 0));
        }
        return prior.isEmpty() ? Optional.empty() : Optional.of(prior);
    }
}
