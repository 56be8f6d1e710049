package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.performance.TypeRatio;
import dev.spur.prediction.StepTimeFit;
import dev.spur.prediction.StepTimeModel;
import dev.spur.prediction.StepTimeObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Profiles by step-time models fitted to the observations of jobs. */
final class LearnedProfiles implements StepModel.Learner {
    private record Seen(String type, Set<ObservedStep> steps) {}

    private record SeenUpTo(Map<String, Set<ObservedStep>> observedSteps, int maxSlots) {}

    private final AdaptiveSpecs specs;
    private final Map<Seen, StepTimeModel> models = new ConcurrentHashMap<>();
    private final Map<SeenUpTo, ThroughputProfile> profiles = new ConcurrentHashMap<>();

    LearnedProfiles(AdaptiveSpecs specs) {
        this.specs = specs;
    }

    /**
     * Returns the fitted profile for up to {@code maxSlots} slots.
     *
     * @param observedSteps observed steps by type, of at least one type
     */
    ThroughputProfile of(Map<String, Set<ObservedStep>> observedSteps, int maxSlots) {
        return profiles.computeIfAbsent(new SeenUpTo(observedSteps, maxSlots), this::learn);
    }

    private ThroughputProfile learn(SeenUpTo seen) {
        List<ProfilePoint> points = new ArrayList<>();
        seen.observedSteps.forEach(
                (type, steps) -> specs.addGrid(points, type, model(type, steps)::stepSeconds, seen.maxSlots));
        String like = specs.types().stream()
                .filter(seen.observedSteps::containsKey)
                .findFirst()
                .orElseThrow();
        List<TypeRatio> ratios = specs.types().stream()
                .filter(type -> !seen.observedSteps.containsKey(type) && peak(type) > 0 && peak(like) > 0)
                .map(type -> new TypeRatio(type, like, peak(type) / peak(like)))
                .toList();
        return new ThroughputProfile(points, ratios);
    }

    private double peak(String type) {
        return specs.times(type).peakOfOneSlot();
    }

    @Override
    public StepModel.ByType after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        Map<String, Set<ObservedStep>> observedSteps = BootstrapViewModel.observedSteps(pastConfigurations);
        return type -> Optional.ofNullable(observedSteps.get(type)).map(steps -> model(type, steps)::stepSeconds);
    }

    /** Returns the step-time model fitted to {@code steps}, which is not empty. */
    StepTimeModel model(String type, Set<ObservedStep> steps) {
        return models.computeIfAbsent(new Seen(type, steps), seen -> {
            StepTimes times = specs.times(type);
            return StepTimeFit.of(seen.steps.stream()
                    .map(step -> observe(step, times.at(step.shape(), step.perDevice())))
                    .toList());
        });
    }

    private static StepTimeObservation observe(ObservedStep step, Timing timing) {
        return new StepTimeObservation(
                step.shape().size(), step.slots(), step.perDevice(), timing.step() - timing.sync(), timing.step());
    }
}
