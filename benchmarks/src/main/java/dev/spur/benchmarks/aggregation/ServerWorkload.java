package dev.spur.benchmarks.aggregation;

import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Synthetic workload of jobs with measured models. Arrivals are a Poisson process. The job length on one worker and one
 * server at the measured batch size is log-uniform.
 *
 * @param jobs number of jobs
 * @param meanPauseSeconds mean interarrival time
 * @param shortestSeconds shortest length on one worker and one server
 * @param longestSeconds longest length on one worker and one server
 * @param batches batch sizes that jobs may use, as multiples of the measured batch size, which is also the initial one
 * @param noiseBatches gradient noise scale of every job, as a multiple of the measured batch size; assumed, because the
 *     data set contains no measurement of it
 */
public record ServerWorkload(
        int jobs,
        double meanPauseSeconds,
        double shortestSeconds,
        double longestSeconds,
        List<Double> batches,
        double noiseBatches) {
    /** Accelerator type of all nodes; the measurements do not name the type. */
    public static final String TYPE = "GPU";

    private static final double RESTART_SECONDS = 30;

    public ServerWorkload {
        batches = List.copyOf(batches);
    }

    /** Returns the workload that uses only the measured batch sizes. */
    public static ServerWorkload ofMeasuredBatches(
            int jobs, double meanPauseSeconds, double shortestSeconds, double longestSeconds) {
        return new ServerWorkload(jobs, meanPauseSeconds, shortestSeconds, longestSeconds, List.of(1.0), 0);
    }

    /** Returns the trace of {@code seed} with jobs of {@code models}. */
    public Trace trace(List<StepMeasurements> models, long seed) {
        List<StepMeasurements> known =
                models.stream().map(model -> DerivedBatches.of(model, batches)).toList();
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceJob> made = new ArrayList<>();
        double arrival = 0;
        for (int i = 0; i < jobs; i++) {
            StepMeasurements model = known.get(random.nextInt(known.size()));
            double seconds = shortestSeconds * Math.pow(longestSeconds / shortestSeconds, random.nextDouble());
            made.add(job("%s-%d".formatted(model.model(), i), arrival, model, seconds));
            arrival -= meanPauseSeconds * Math.log(1 - random.nextDouble());
        }
        return new Trace("parameter servers", made, Map.of());
    }

    private TraceJob job(String id, double arrival, StepMeasurements model, double seconds) {
        List<ProfilePoint> points = points(model);
        double alone = points.stream()
                .filter(point -> point.slots() == 1 && point.aggregationSlots() == 1)
                .filter(point -> point.batchSize() == points.get(0).batchSize())
                .mapToDouble(ProfilePoint::samplesPerSecond)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Model %s has no measurement on one worker and one server".formatted(model.model())));
        JobSpec spec = spec(points, seconds * alone);
        GroundTruth truth = new SpecGroundTruth(spec, 0, RESTART_SECONDS);
        return new TraceJob(id, arrival, "root", null, 1, seconds, truth, PolicyViewModel.complete(spec));
    }

    private static List<ProfilePoint> points(StepMeasurements model) {
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

    private JobSpec spec(List<ProfilePoint> points, double samples) {
        int initial = points.get(0).batchSize();
        int maxSlots = points.stream().mapToInt(ProfilePoint::slots).max().orElseThrow();
        double maxServers = points.stream()
                .mapToDouble(ProfilePoint::aggregationSlots)
                .max()
                .orElseThrow();
        IntSummaryStatistics sizes =
                points.stream().mapToInt(ProfilePoint::batchSize).summaryStatistics();
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, samples, null),
                Elasticity.between(1, maxSlots),
                new BatchLimits(initial, sizes.getMin(), sizes.getMax(), initial, Map.of(), false),
                new Synchronization(false, true, 1, maxServers),
                StatisticalEfficiency.ofNoiseScale(noiseBatches * initial),
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
