package dev.spur.service.demo;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A job of the demo with a synthetic speed: {@code speed} on one slot, growing with a power of the number of slots.
 *
 * @param speed samples per second on one RTX2080Ti
 * @param scaling exponent of the speed over the slots, from 0 to 1
 * @param minutes its duration on four RTX2080Ti
 * @param servers true if it runs with parameter servers
 */
record DemoJob(
        String name,
        String tenant,
        double speed,
        double scaling,
        double minutes,
        int minSlots,
        int maxSlots,
        boolean servers) {
    private static final int BATCH = 128;
    private static final double AGGREGATION = 1;

    /** Slots per node and speed relative to an RTX2080Ti, by accelerator type. */
    private static final Map<String, double[]> TYPES =
            Map.of("T4", new double[] {4, 0.55}, "RTX2080Ti", new double[] {8, 1}, "A100", new double[] {8, 3.2});

    /** About a dozen jobs of two tenants. */
    static List<DemoJob> all() {
        return List.of(
                new DemoJob("image classifier, small", "vision", 600, 0.95, 2, 1, 4, false),
                new DemoJob("image classifier, large", "vision", 240, 0.9, 9, 2, 16, false),
                new DemoJob("object detector", "vision", 90, 0.85, 6, 2, 8, false),
                new DemoJob("segmentation", "vision", 70, 0.9, 12, 4, 8, false),
                new DemoJob("video features", "vision", 40, 0.8, 4, 1, 8, false),
                new DemoJob("super resolution", "vision", 55, 0.9, 3, 1, 4, true),
                new DemoJob("translation", "language", 300, 0.85, 10, 4, 16, false),
                new DemoJob("speech recognition", "language", 150, 0.8, 5, 2, 8, false),
                new DemoJob("language model, small", "language", 200, 0.92, 8, 4, 16, false),
                new DemoJob("language model, large", "language", 60, 0.95, 15, 8, 16, false),
                new DemoJob("question answering", "language", 120, 0.85, 3, 1, 4, false),
                new DemoJob("recommendation", "language", 900, 0.7, 4, 1, 8, true));
    }

    /** The specification to submit. */
    JobSpec spec() {
        Synchronization synchronization =
                servers ? new Synchronization(false, true, AGGREGATION, AGGREGATION) : Synchronization.allReduceOnly();
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, speed * Math.pow(4, scaling) * minutes * 60, null),
                new Elasticity(List.of(), List.of(), minSlots, maxSlots, true, List.of(), null, false),
                BatchLimits.ofBatch(BATCH),
                synchronization,
                StatisticalEfficiency.UNKNOWN,
                new ThroughputProfile(points(), List.of()),
                new HostDemand(2, 8),
                10,
                20,
                true,
                1,
                0,
                null,
                null);
    }

    private List<ProfilePoint> points() {
        List<ProfilePoint> points = new ArrayList<>();
        TYPES.forEach((type, facts) -> {
            for (int slots = 1; slots <= maxSlots; slots *= 2) {
                int nodes = (int) Math.ceil(slots / facts[0]);
                double samplesPerSecond = Math.round(speed * facts[1] * Math.pow(slots, scaling));
                points.add(new ProfilePoint(
                        type,
                        slots,
                        nodes,
                        BATCH,
                        servers ? SyncStrategy.PARAMETER_SERVER : SyncStrategy.ALL_REDUCE,
                        servers ? AGGREGATION : 0,
                        samplesPerSecond));
            }
        });
        return points;
    }
}
