package dev.spur.benchmarks.audit;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * View of a job whose believed speeds are wrong by a random factor for each number of slots, until the job has run on
 * that number.
 */
public final class MisjudgedSpeeds implements PolicyViewModel {
    private final JobSpec truth;
    private final PolicyViewModel base;
    private final Map<Integer, Double> factors;
    /** By the slot counts on which the job has run: unchanged specifications are the same objects. */
    private final Map<Set<Integer>, JobSpec> specs = new ConcurrentHashMap<>();

    private MisjudgedSpeeds(PolicyViewModel base, Map<Integer, Double> factors) {
        this.base = base;
        this.truth = base.after(RunHistory.NONE).spec();
        this.factors = Map.copyOf(factors);
    }

    /**
     * Returns the trace with wrong beliefs.
     *
     * @param sigma standard deviation of the logarithms of the factors
     */
    public static Trace of(Trace trace, double sigma, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceJob> jobs = new ArrayList<>();
        for (TraceJob job : trace.jobs()) {
            Map<Integer, Double> factors = new HashMap<>();
            job.viewModel().after(RunHistory.NONE).spec().profile().points().stream()
                    .map(ProfilePoint::slots)
                    .distinct()
                    .sorted()
                    .forEach(slots -> factors.put(slots, Math.exp(sigma * random.nextGaussian())));
            jobs.add(job.with(job.truth(), new MisjudgedSpeeds(job.viewModel(), factors)));
        }
        return new Trace(trace.name(), jobs, trace.skipped());
    }

    @Override
    public PolicyView after(RunHistory experience) {
        PolicyView view = base.after(experience);
        Set<Integer> known = experience.pastConfigurations().stream()
                .map(Configuration::slots)
                .collect(Collectors.toSet());
        return new PolicyView(specs.computeIfAbsent(known, this::spec), view.remainingSamples());
    }

    private JobSpec spec(Set<Integer> known) {
        List<ProfilePoint> points = truth.profile().points().stream()
                .map(point -> known.contains(point.slots())
                        ? point
                        : new ProfilePoint(
                                point.acceleratorType(),
                                point.slots(),
                                point.nodes(),
                                point.batchSize(),
                                point.strategy(),
                                point.aggregationSlots(),
                                point.samplesPerSecond() * factors.getOrDefault(point.slots(), 1.0)))
                .toList();
        return truth.withSpeed(new ThroughputProfile(points, truth.profile().ratios()), truth.efficiency());
    }
}
