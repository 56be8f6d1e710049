package dev.spur.benchmarks.aggregation;

import dev.spur.benchmarks.models.MeasuredSteps;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobKind;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.Insight;
import dev.spur.simulator.trace.SpecTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.Truth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Made-up jobs of measured models: arrivals of a Poisson process; lengths on one worker and one server even in their logarithm.
 *
 * @param jobs how many
 * @param meanPauseSeconds mean time between two arrivals
 * @param shortestSeconds of a job on one worker and one server
 * @param longestSeconds of a job on one worker and one server
 */
public record ServerWorkload(int jobs, double meanPauseSeconds, double shortestSeconds, double longestSeconds) {
    /** Accelerator type of all nodes: the measurements do not name theirs. */
    public static final String TYPE = "GPU";

    private static final double RESTART_SECONDS = 30;

    /** The trace of {@code seed} with jobs of {@code models}. */
    public Trace trace(List<MeasuredSteps> models, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceJob> made = new ArrayList<>();
        double arrival = 0;
        for (int i = 0; i < jobs; i++) {
            MeasuredSteps model = models.get(random.nextInt(models.size()));
            double seconds = shortestSeconds * Math.pow(longestSeconds / shortestSeconds, random.nextDouble());
            made.add(job("%s-%d".formatted(model.model(), i), arrival, model, seconds));
            arrival -= meanPauseSeconds * Math.log(1 - random.nextDouble());
        }
        return new Trace("parameter servers", made, Map.of());
    }

    private static TraceJob job(String id, double arrival, MeasuredSteps model, double seconds) {
        List<ProfilePoint> points = points(model);
        double alone = points.stream()
                .filter(point -> point.slots() == 1 && point.aggregationSlots() == 1)
                .mapToDouble(ProfilePoint::samplesPerSecond)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(model.model() + " was not measured on one worker and one server"));
        JobSpec spec = spec(points, seconds * alone);
        Truth truth = new SpecTruth(spec, 0, RESTART_SECONDS);
        return new TraceJob(id, arrival, "root", null, 1, seconds, truth, Insight.complete(spec));
    }

    private static List<ProfilePoint> points(MeasuredSteps model) {
        return model.steps().stream()
                .map(step -> {
                    int batch = (int) Math.round(
                            step.shape().perSlotBatch() * step.shape().slots());
                    return new ProfilePoint(
                            TYPE,
                            step.shape().slots(),
                            1,
                            batch,
                            SyncStrategy.PARAMETER_SERVER,
                            step.shape().aggregationSlots(),
                            batch / step.stepSeconds());
                })
                .toList();
    }

    private static JobSpec spec(List<ProfilePoint> points, double samples) {
        int mostSlots = points.stream().mapToInt(ProfilePoint::slots).max().orElseThrow();
        double mostServers = points.stream()
                .mapToDouble(ProfilePoint::aggregationSlots)
                .max()
                .orElseThrow();
        return new JobSpec(
                JobKind.TRAINING,
                new Work(WorkUnit.SAMPLES, samples, null),
                Elasticity.between(1, mostSlots),
                BatchLimits.fixed(points.get(0).batchSize()),
                new Synchronization(false, true, 1, mostServers),
                StatisticalEfficiency.UNKNOWN,
                new ThroughputProfile(points, List.of()),
                HostDemand.NONE,
                RESTART_SECONDS,
                0,
                true,
                1,
                0,
                null,
                null);
    }
}
