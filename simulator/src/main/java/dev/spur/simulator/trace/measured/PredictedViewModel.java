package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Predictions of Spur from the observations of the job and of other jobs of its model; all jobs of a model share it.
 * Until the first progress of one of them, the view has one slot only. The slot limit is twice the maximum that they
 * have run with. The current gradient noise is known.
 */
final class PredictedViewModel implements PolicyViewModel {
    private record Known(StepModel.ByType assumedByType, int maxSlots, int epoch, int batch) {}

    private record Profiled(StepModel.ByType assumedByType, int maxSlots) {}

    private final AdaptiveSpecs specs;
    private final PredictedSpeeds predicted;
    private final @Nullable ProfilingTargetSelection selection;
    private final JobSpec uninformedSpec;
    private final Map<Profiled, ThroughputProfile> profiles = new ConcurrentHashMap<>();
    private final Map<Known, JobSpec> assumedSpecs = new ConcurrentHashMap<>();

    /**
     * Creates a view model.
     *
     * @param selection selects the shapes in which jobs are profiled; null for no profiling
     */
    PredictedViewModel(AdaptiveSpecs specs, PredictedSpeeds predicted, @Nullable ProfilingTargetSelection selection) {
        this.specs = specs;
        this.selection = selection;
        this.predicted = predicted;
        uninformedSpec = specs.spec(specs.ofNothing(), StatisticalEfficiency.UNKNOWN, 1);
    }

    @Override
    public String family() {
        return predicted.family();
    }

    @Override
    public boolean learnsStalls() {
        return true;
    }

    @Override
    public PolicyView after(RunHistory history) {
        AdaptiveModel adaptive = specs.adaptive();
        double done = history.doneSamples();
        double left = Math.max(0, adaptive.totalSamples() - done);
        List<Configuration> pastConfigurations = history.pastConfigurations();
        List<Configuration> familyConfigurations = history.familyConfigurations();
        if (pastConfigurations.isEmpty() && familyConfigurations.isEmpty()) {
            return new PolicyView(uninformedSpec, left);
        }
        int batch = pastConfigurations.isEmpty()
                ? adaptive.model().initialBatch()
                : pastConfigurations.get(pastConfigurations.size() - 1).batchSize();
        int max = maxSlots(pastConfigurations, familyConfigurations);
        Known known = new Known(
                predicted.after(pastConfigurations, familyConfigurations), max, adaptive.epochAt(done), batch);
        ProfilingTarget profilingTarget = selection == null
                ? null
                : selection
                        .next(done, pastConfigurations, familyConfigurations, max)
                        .orElse(null);
        return new PolicyView(assumedSpecs.computeIfAbsent(known, this::spec), left, profilingTarget);
    }

    private int maxSlots(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        int max = Stream.concat(pastConfigurations.stream(), familyConfigurations.stream())
                .mapToInt(Configuration::slots)
                .max()
                .orElse(1);
        return Math.min(2 * max, specs.maxSlots());
    }

    private JobSpec spec(Known known) {
        ThroughputProfile profile =
                profiles.computeIfAbsent(new Profiled(known.assumedByType, known.maxSlots), this::profile);
        double noise = specs.adaptive().model().epochs().noiseScale(known.batch, known.epoch);
        return specs.spec(profile, StatisticalEfficiency.ofNoiseScale(noise), known.maxSlots);
    }

    private ThroughputProfile profile(Profiled profiled) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : specs.types()) {
            profiled.assumedByType.on(type).ifPresent(model -> specs.addGrid(points, type, model, profiled.maxSlots));
        }
        return new ThroughputProfile(points, List.of());
    }
}
