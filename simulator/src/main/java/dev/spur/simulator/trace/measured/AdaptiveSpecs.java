package dev.spur.simulator.trace.measured;

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
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.BatchChoice;
import dev.spur.prediction.BatchRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What policies are told of jobs that tune their batch size: limits, and profiles over a grid of global batch sizes. */
final class AdaptiveSpecs {
    /** Global batch sizes of a profile, in geometric progression. */
    private static final int BATCHES = 12;

    private final AdaptiveModel adaptive;
    private final Fleet fleet;
    private final int largestBatch;
    private final BatchLimits limits;

    /** @param largestBatch largest global batch size that policies plan with, at least the initial one */
    AdaptiveSpecs(AdaptiveModel adaptive, Fleet fleet, int largestBatch) {
        this.adaptive = adaptive;
        this.fleet = fleet;
        MeasuredModel model = adaptive.model();
        this.largestBatch = Math.max(model.initialBatch(), Math.min(largestBatch, model.largestBatch()));
        Map<String, Integer> perDevice = new HashMap<>();
        model.types()
                .forEach(type -> perDevice.put(type, range(type, List.of(1)).maxPerDevice()));
        int least =
                perDevice.values().stream().mapToInt(Integer::intValue).min().orElse(model.initialBatch());
        limits = new BatchLimits(model.initialBatch(), model.initialBatch(), this.largestBatch, least, perDevice, true);
    }

    AdaptiveModel adaptive() {
        return adaptive;
    }

    Fleet fleet() {
        return fleet;
    }

    /** Types of the cluster on which the model was measured, in the order of the cluster. */
    List<String> types() {
        return fleet.types().stream().filter(adaptive.model().types()::contains).toList();
    }

    StepTimes times(String type) {
        return adaptive.model().stepTimes(type).orElseThrow();
    }

    BatchRange range(String type, List<Integer> shape) {
        Conventions conventions = adaptive.conventions();
        MeasuredModel model = adaptive.model();
        BatchRange all = model.range(times(type), shape, conventions.mostPerDevice(model.name()));
        return new BatchRange(all.initial(), largestBatch, all.minPerDevice(), all.maxPerDevice(), true);
    }

    /** Most slots that a job may ever get on this cluster: as many as the largest batch keeps busy. */
    int mostSlots() {
        int most = 1;
        for (String type : types()) {
            int busy = adaptive.model().largestBatch() / times(type).leastPerDevice();
            most = Math.max(most, Math.min(busy, fleet.slots(type)));
        }
        return Math.min(most, adaptive.conventions().mostSlots(adaptive.model().name()));
    }

    /** How long a step of {@code perDevice} samples a pass takes. */
    interface StepSeconds {
        double of(int perDevice, int accumulation);
    }

    /** Adds the points of {@code slots} on {@code nodes} of {@code type}, if any batch size fits there. */
    void addPoints(
            List<ProfilePoint> points, String type, int slots, int nodes, BatchRange range, StepSeconds seconds) {
        double least = Math.max(range.initial(), (double) range.minPerDevice() * slots);
        double most = range.max();
        double slowdown = adaptive.conventions().slowdown(adaptive.model().name());
        int last = 0;
        for (int i = 0; i < BATCHES && least <= most; i++) {
            BatchChoice split = BatchChoice.split(least * Math.pow(most / least, i / (BATCHES - 1.0)), range, slots);
            if (split.batchSize() > last && split.perDeviceBatch() >= range.minPerDevice()) {
                last = split.batchSize();
                double step = seconds.of(split.perDeviceBatch(), split.accumulationSteps()) * slowdown;
                points.add(ProfilePoint.allReduce(type, slots, nodes, last, last / step));
            }
        }
    }

    /** The job, as it is to be told with this profile and efficiency, and at most so many slots. */
    JobSpec spec(ThroughputProfile profile, StatisticalEfficiency efficiency, int mostSlots) {
        return new JobSpec(
                JobKind.TRAINING,
                new Work(WorkUnit.SAMPLES, adaptive.totalSamples(), null),
                Elasticity.between(1, mostSlots),
                limits,
                Synchronization.allReduceOnly(),
                efficiency,
                profile,
                HostDemand.NONE,
                adaptive.conventions().assumedStartSeconds(adaptive.model().name()),
                0,
                true,
                1,
                0,
                null);
    }
}
