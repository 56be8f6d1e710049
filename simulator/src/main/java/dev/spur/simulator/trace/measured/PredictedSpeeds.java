package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.job.PredictionInput;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Speeds that the module {@code prediction} predicts for jobs of one model. Before the job or its family has run, no
 * speed is known. From then on, the observations also include one step on a single slot of each type. It is the step
 * with which a bootstrap compares types.
 */
final class PredictedSpeeds implements StepModel.Learner {
    /**
     * Key of similar configurations. Batch sizes per slot within the same power of 2 share a key, since each further
     * observation makes fits slower.
     */
    private record Way(String type, int nodes, int slots, int octave) {
        static Way of(Configuration pastConfiguration) {
            return new Way(
                    pastConfiguration.acceleratorType(),
                    pastConfiguration.shape().size(),
                    pastConfiguration.slots(),
                    (int) Math.floor(Math.log(pastConfiguration.perDeviceBatch()) / Math.log(2)));
        }
    }

    private record Known(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {}

    private final AdaptiveSpecs specs;
    private final List<TypedObservation> singleObservations;
    private final Map<List<Configuration>, Families> families = new ConcurrentHashMap<>();
    private final Map<Known, StepModel.ByType> assumedByTypes = new ConcurrentHashMap<>();

    PredictedSpeeds(AdaptiveSpecs specs) {
        this.specs = specs;
        singleObservations = specs.types().stream()
                .filter(type -> specs.times(type).peakOfOneSlot() > 0)
                .map(type ->
                        observe(type, List.of(1), specs.range(type, List.of(1)).maxPerDevice(), 0))
                .toList();
    }

    /** Returns the name of the family: that of the model. */
    String family() {
        return specs.adaptive().model().name();
    }

    @Override
    public StepModel.ByType after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        if (pastConfigurations.isEmpty() && familyConfigurations.isEmpty()) {
            return type -> Optional.empty();
        }
        Map<Way, Configuration> own = distinct(pastConfigurations);
        Map<Way, Configuration> others = distinct(familyConfigurations);
        // The job's own observations must not count twice.
        others.keySet().removeAll(own.keySet());
        return assumedByTypes.computeIfAbsent(
                new Known(List.copyOf(own.values()), List.copyOf(others.values())), this::predict);
    }

    /** Returns the first configuration of each key. */
    private static Map<Way, Configuration> distinct(List<Configuration> pastConfigurations) {
        Map<Way, Configuration> first = new LinkedHashMap<>();
        pastConfigurations.forEach(configuration -> first.putIfAbsent(Way.of(configuration), configuration));
        return first;
    }

    private StepModel.ByType predict(Known known) {
        JobPredictor predictor = predictor(known);
        return type -> predictor
                .forecast(type, SyncStrategy.ALL_REDUCE)
                .map(distribution -> (nodes, slots, perDevice, accumulation) ->
                        distribution.stepSeconds(new StepShape(slots, nodes, perDevice, accumulation, 0)));
    }

    /**
     * Returns the predictor of a job.
     *
     * @param pastConfigurations configurations in which the job has run
     * @param familyConfigurations configurations in which its family has run
     */
    JobPredictor predictor(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        Map<Way, Configuration> own = distinct(pastConfigurations);
        Map<Way, Configuration> others = distinct(familyConfigurations);
        others.keySet().removeAll(own.keySet());
        return predictor(new Known(List.copyOf(own.values()), List.copyOf(others.values())));
    }

    private JobPredictor predictor(Known known) {
        List<TypedObservation> observations = new ArrayList<>(singleObservations);
        observations.addAll(observe(known.pastConfigurations));
        ThroughputProfile nothing = new ThroughputProfile(List.of(), List.of());
        return new JobPredictor(
                new PredictionInput(family(), nothing, observations, specs.limits()),
                families.computeIfAbsent(known.familyConfigurations, this::families));
    }

    private Families families(List<Configuration> familyConfigurations) {
        return familyConfigurations.isEmpty()
                ? Families.NONE
                : new Families(List.of(FamilySpeeds.unknown(family()).learn(observe(familyConfigurations))));
    }

    private List<TypedObservation> observe(List<Configuration> pastConfigurations) {
        return pastConfigurations.stream()
                .map(configuration -> observe(
                        configuration.acceleratorType(),
                        configuration.shape(),
                        configuration.perDeviceBatch(),
                        configuration.accumulationSteps()))
                .toList();
    }

    private TypedObservation observe(String type, List<Integer> shape, int perDevice, int accumulation) {
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        return new TypedObservation(
                type,
                StepObservation.of(
                        new StepShape(slots, shape.size(), perDevice, accumulation, 0),
                        specs.times(type).at(shape, perDevice).accumulate(accumulation)));
    }
}
