package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Information that a job gains by running, shared by all jobs of a model. Before its first progress the view has one
 * slot only. Then a step-time model is fitted for each type on which the job has run.
 *
 * <p>The speed on any other type is scaled by the ratio of the peak speeds of a single slot at its largest batch. The
 * slot limit is twice the maximum that the job has run with. The current gradient noise is known. As in the simulator
 * of Sia (Jayaram Subramanya et al., SOSP '23).
 */
final class BootstrapViewModel implements PolicyViewModel {
    private record Known(Map<String, Set<ObservedStep>> observedSteps, int epoch, int batch) {}

    private final AdaptiveModel adaptive;
    private final LearnedProfiles profiles;
    private final AdaptiveSpecs specs;
    private final JobSpec uninformedSpec;
    private final Map<Known, JobSpec> assumedSpecs = new ConcurrentHashMap<>();

    BootstrapViewModel(AdaptiveSpecs specs, LearnedProfiles profiles) {
        this.specs = specs;
        adaptive = specs.adaptive();
        this.profiles = profiles;
        uninformedSpec = specs.spec(specs.ofNothing(), StatisticalEfficiency.UNKNOWN, 1);
    }

    @Override
    public PolicyView after(RunHistory history) {
        double done = history.doneSamples();
        double left = Math.max(0, adaptive.totalSamples() - done);
        List<Configuration> pastConfigurations = history.pastConfigurations();
        if (pastConfigurations.isEmpty()) {
            return new PolicyView(uninformedSpec, left);
        }
        int batch = pastConfigurations.get(pastConfigurations.size() - 1).batchSize();
        Known known = new Known(observedSteps(pastConfigurations), adaptive.epochAt(done), batch);
        return new PolicyView(assumedSpecs.computeIfAbsent(known, this::spec), left);
    }

    /** Returns the observed steps of {@code pastConfigurations} by type. */
    static Map<String, Set<ObservedStep>> observedSteps(List<Configuration> pastConfigurations) {
        Map<String, Set<ObservedStep>> observedSteps = new LinkedHashMap<>();
        for (Configuration configuration : pastConfigurations) {
            observedSteps
                    .computeIfAbsent(configuration.acceleratorType(), type -> new LinkedHashSet<>())
                    .add(new ObservedStep(configuration.shape(), configuration.perDeviceBatch()));
        }
        return observedSteps;
    }

    private JobSpec spec(Known known) {
        int ran = known.observedSteps.values().stream()
                .flatMap(Set::stream)
                .mapToInt(ObservedStep::slots)
                .max()
                .orElse(1);
        int max = Math.max(1, Math.min(2 * ran, specs.maxSlots()));
        ThroughputProfile profile = profiles.of(known.observedSteps, max);
        double noise = adaptive.model().epochs().noiseScale(known.batch, known.epoch);
        return specs.spec(profile, StatisticalEfficiency.ofNoiseScale(noise), max);
    }
}
