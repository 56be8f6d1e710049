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
    private record Known(StepModel.ByType assumed, int maxSlots, int epoch, int batch) {}

    private record Profiled(StepModel.ByType assumed, int maxSlots) {}

    private final AdaptiveSpecs specs;
    private final PredictedSpeeds predicted;
    private final @Nullable ProfilingTargetSelection probes;
    private final JobSpec uninformed;
    private final Map<Profiled, ThroughputProfile> profiles = new ConcurrentHashMap<>();
    private final Map<Known, JobSpec> beliefs = new ConcurrentHashMap<>();

    /**
     * Creates a view model.
     *
     * @param probes selects the shapes in which jobs are profiled; null for no profiling
     */
    PredictedViewModel(AdaptiveSpecs specs, PredictedSpeeds predicted, @Nullable ProfilingTargetSelection probes) {
        this.specs = specs;
        this.probes = probes;
        this.predicted = predicted;
        uninformed = specs.spec(specs.ofNothing(), StatisticalEfficiency.UNKNOWN, 1);
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
    public PolicyView after(RunHistory experience) {
        AdaptiveModel adaptive = specs.adaptive();
        double done = experience.doneSamples();
        double left = Math.max(0, adaptive.totalSamples() - done);
        List<Configuration> ran = experience.ran();
        List<Configuration> familyRuns = experience.familyRuns();
        if (ran.isEmpty() && familyRuns.isEmpty()) {
            return new PolicyView(uninformed, left);
        }
        int batch = ran.isEmpty()
                ? adaptive.model().initialBatch()
                : ran.get(ran.size() - 1).batchSize();
        int max = maxSlots(ran, familyRuns);
        Known known = new Known(predicted.after(ran, familyRuns), max, adaptive.epochAt(done), batch);
        ProfilingTarget profilingTarget =
                probes == null ? null : probes.next(done, ran, familyRuns, max).orElse(null);
        return new PolicyView(beliefs.computeIfAbsent(known, this::spec), left, profilingTarget);
    }

    private int maxSlots(List<Configuration> ran, List<Configuration> familyRuns) {
        int max = Stream.concat(ran.stream(), familyRuns.stream())
                .mapToInt(Configuration::slots)
                .max()
                .orElse(1);
        return Math.min(2 * max, specs.maxSlots());
    }

    private JobSpec spec(Known known) {
        ThroughputProfile profile =
                profiles.computeIfAbsent(new Profiled(known.assumed, known.maxSlots), this::profile);
        double noise = specs.adaptive().model().epochs().noiseScale(known.batch, known.epoch);
        return specs.spec(profile, StatisticalEfficiency.ofNoiseScale(noise), known.maxSlots);
    }

    private ThroughputProfile profile(Profiled known) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : specs.types()) {
            known.assumed.on(type).ifPresent(model -> specs.addGrid(points, type, model, known.maxSlots));
        }
        return new ThroughputProfile(points, List.of());
    }
}
