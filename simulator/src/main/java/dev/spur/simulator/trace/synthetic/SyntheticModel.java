package dev.spur.simulator.trace.synthetic;

import dev.spur.model.allocation.Shapes;
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
import dev.spur.model.utility.Goodput;
import dev.spur.prediction.StepTimeModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Synthetic model with step times in the form of Pollux. One model is compute-bound, one communication-bound, and two
 * are between them. A step on another accelerator type is shorter by one factor per type; the factor is 1 for types not
 * named here.
 *
 * @param steps step times on a T4
 * @param initialBatch initial global batch size, and the smallest
 * @param largestBatch largest global batch size
 * @param maxPerDevice maximum number of samples that fit a device
 * @param noiseScale gradient noise scale, samples
 */
record SyntheticModel(StepTimeModel steps, int initialBatch, int largestBatch, int maxPerDevice, double noiseScale) {
    static final SyntheticModel VISION =
            new SyntheticModel(new StepTimeModel(0.03, 0.0012, 0.06, 0.003, 0.02, 0.001, 2), 128, 4096, 512, 3000);
    static final SyntheticModel LANGUAGE =
            new SyntheticModel(new StepTimeModel(0.05, 0.02, 0.5, 0.02, 0.1, 0.01, 1.8), 32, 512, 32, 200);
    static final SyntheticModel SPEECH =
            new SyntheticModel(new StepTimeModel(0.2, 0.02, 0.3, 0.02, 0.08, 0.004, 1.5), 32, 640, 48, 150);
    static final SyntheticModel DETECTION =
            new SyntheticModel(new StepTimeModel(0.15, 0.025, 0.4, 0.02, 0.15, 0.01, 1.3), 16, 256, 16, 80);

    static final List<SyntheticModel> ALL = List.of(VISION, LANGUAGE, SPEECH, DETECTION);

    /**
     * Models that use devices efficiently only with large batches: the fixed cost of a pass equals that of 6 to 400
     * samples. Batch sizes range from a sixteenth of a device's memory to ten devices.
     */
    static final List<SyntheticModel> WIDE = List.of(
            wide(new StepTimeModel(0.08, 0.0002, 0.06, 0.003, 0.02, 0.001, 2), 1024),
            wide(new StepTimeModel(0.12, 0.0012, 0.25, 0.01, 0.06, 0.003, 1.8), 256),
            wide(new StepTimeModel(0.16, 0.01, 0.3, 0.02, 0.08, 0.004, 1.5), 80),
            wide(new StepTimeModel(0.12, 0.02, 0.5, 0.02, 0.1, 0.01, 1.8), 32));

    /** Maximum number of slots of a job. */
    static final int MAX_SLOTS = 16;

    /** Maximum number of slots of a job of {@link #WIDE}. */
    static final int MAX_WIDE_SLOTS = 10;

    /** Maximum slots of a job with a range of slots, as a multiple of the requested slots. */
    private static final int RANGE = 4;

    private static final int BATCHES = 8;
    private static final double RESTART_SECONDS = 30;
    private static final Map<String, Double> FACTORS =
            Map.of("K80", 0.3, "T4", 1.0, "P100", 1.2, "RTX2080Ti", 1.6, "V100", 2.6, "A100", 5.0, "H100", 10.0);

    private static SyntheticModel wide(StepTimeModel steps, int maxPerDevice) {
        return new SyntheticModel(steps, maxPerDevice / 16, MAX_WIDE_SLOTS * maxPerDevice, maxPerDevice, 0);
    }

    /**
     * Returns a job that takes {@code seconds} on {@code slots} of {@code type}, on the minimum number of nodes with
     * the best batch size there.
     */
    JobSpec job(ClusterCapacity capacity, String type, int slots, double seconds) {
        JobSpec withoutWork = spec(capacity, 1);
        int nodes = Shapes.consolidate(slots, capacity.perNode(type)).size();
        OptionalInt batch = Goodput.bestBatch(withoutWork, type, slots, nodes, SyncStrategy.ALL_REDUCE, 0);
        double goodput =
                Goodput.of(withoutWork, type, slots, nodes, SyncStrategy.ALL_REDUCE, 0, batch.orElse(initialBatch));
        return spec(capacity, goodput * seconds);
    }

    /**
     * Returns a job that runs on {@code slots} to four times as many, at the best batch size on {@code slots}, rounded
     * up to equal shares. It takes {@code seconds} on {@code slots} of {@code type}.
     */
    JobSpec rangedJob(ClusterCapacity capacity, String type, int slots, double seconds) {
        int nodes = Shapes.consolidate(slots, capacity.perNode(type)).size();
        int batch = Goodput.bestBatch(spec(capacity, 1), type, slots, nodes, SyncStrategy.ALL_REDUCE, 0)
                .orElse(initialBatch);
        int max = Math.max(slots, Math.min(RANGE * slots, Math.min(MAX_SLOTS, capacity.maxSlots())));
        return spec(
                capacity,
                speed(capacity, type, slots, batch) * seconds,
                Elasticity.between(slots, max),
                new BatchLimits(batch, batch, batch + max - 1, maxPerDevice, Map.of(), false),
                StatisticalEfficiency.LEVEL);
    }

    /** Returns a job that takes {@code seconds} at the user's {@code batch} on {@code slots} of {@code type}. */
    JobSpec batchRangeJob(ClusterCapacity capacity, String type, int slots, int batch, double seconds) {
        return spec(
                capacity,
                speed(capacity, type, slots, batch) * seconds,
                Elasticity.between(1, Math.min(MAX_WIDE_SLOTS, capacity.maxSlots())),
                new BatchLimits(batch, initialBatch, largestBatch, maxPerDevice, Map.of(), false),
                StatisticalEfficiency.LEVEL);
    }

    /** Returns the minimum number of devices whose memory holds {@code batch}. */
    int minSlots(int batch) {
        return (batch + maxPerDevice - 1) / maxPerDevice;
    }

    private double speed(ClusterCapacity capacity, String type, int slots, int batch) {
        int nodes = Shapes.consolidate(slots, capacity.perNode(type)).size();
        return capacity.profile(this).throughput(type, SyncStrategy.ALL_REDUCE, slots, nodes, 0, batch);
    }

    private JobSpec spec(ClusterCapacity capacity, double samples) {
        return spec(
                capacity,
                samples,
                Elasticity.between(1, Math.min(MAX_SLOTS, capacity.maxSlots())),
                new BatchLimits(initialBatch, initialBatch, largestBatch, maxPerDevice, Map.of(), false),
                StatisticalEfficiency.ofNoiseScale(noiseScale));
    }

    private JobSpec spec(
            ClusterCapacity capacity,
            double samples,
            Elasticity elasticity,
            BatchLimits batches,
            StatisticalEfficiency efficiency) {
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, samples, null),
                elasticity,
                batches,
                Synchronization.allReduceOnly(),
                efficiency,
                capacity.profile(this),
                HostDemand.NONE,
                RESTART_SECONDS,
                0,
                true,
                1,
                0,
                null,
                null);
    }

    /** Returns the speeds on one node and on several, by number of slots and global batch size. */
    ThroughputProfile profile(ClusterCapacity capacity) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : capacity.types()) {
            for (int slots = 1; slots <= Math.min(MAX_SLOTS, capacity.slots(type)); slots++) {
                int minNodes = Shapes.consolidate(slots, capacity.perNode(type)).size();
                addPoints(points, type, slots, minNodes);
                if (minNodes == 1 && slots > 1) {
                    addPoints(points, type, slots, 2);
                }
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    private void addPoints(List<ProfilePoint> points, String type, int slots, int nodes) {
        double factor = FACTORS.getOrDefault(type, 1.0);
        double max = Math.min(largestBatch, (double) maxPerDevice * slots);
        int last = 0;
        for (int i = 0; i < BATCHES && initialBatch <= max; i++) {
            int batch = (int) Math.round(initialBatch * Math.pow(max / initialBatch, i / (BATCHES - 1.0)));
            if (batch > last) {
                last = batch;
                double speed = factor * steps.throughput(nodes, slots, (double) batch / slots, 0);
                points.add(ProfilePoint.allReduce(type, slots, nodes, batch, speed));
            }
        }
    }
}
