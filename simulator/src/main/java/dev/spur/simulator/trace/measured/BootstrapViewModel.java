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
    private record Known(Map<String, Set<ObservedStep>> seen, int epoch, int batch) {}

    private final AdaptiveModel adaptive;
    private final LearnedProfiles profiles;
    private final AdaptiveSpecs specs;
    private final JobSpec uninformed;
    private final Map<Known, JobSpec> beliefs = new ConcurrentHashMap<>();

    BootstrapViewModel(AdaptiveSpecs specs, LearnedProfiles profiles) {
        this.specs = specs;
        adaptive = specs.adaptive();
        this.profiles = profiles;
        uninformed = specs.spec(specs.ofNothing(), StatisticalEfficiency.UNKNOWN, 1);
    }

    @Override
    public PolicyView after(RunHistory experience) {
        double done = experience.doneSamples();
        double left = Math.max(0, adaptive.totalSamples() - done);
        List<Configuration> ran = experience.ran();
        if (ran.isEmpty()) {
            return new PolicyView(uninformed, left);
        }
        int batch = ran.get(ran.size() - 1).batchSize();
        Known known = new Known(observedSteps(ran), adaptive.epochAt(done), batch);
        return new PolicyView(beliefs.computeIfAbsent(known, this::spec), left);
    }

    /** Returns the observed steps of {@code ran} by type. */
    static Map<String, Set<ObservedStep>> observedSteps(List<Configuration> ran) {
        Map<String, Set<ObservedStep>> seen = new LinkedHashMap<>();
        for (Configuration configuration : ran) {
            seen.computeIfAbsent(configuration.acceleratorType(), type -> new LinkedHashSet<>())
                    .add(new ObservedStep(configuration.shape(), configuration.perDeviceBatch()));
        }
        return seen;
    }

    private JobSpec spec(Known known) {
        int ran = known.seen.values().stream()
                .flatMap(Set::stream)
                .mapToInt(ObservedStep::slots)
                .max()
                .orElse(1);
        int max = Math.max(1, Math.min(2 * ran, specs.maxSlots()));
        ThroughputProfile profile = profiles.of(known.seen, max);
        double noise = adaptive.model().epochs().noiseScale(known.batch, known.epoch);
        return specs.spec(profile, StatisticalEfficiency.ofNoiseScale(noise), max);
    }
}
