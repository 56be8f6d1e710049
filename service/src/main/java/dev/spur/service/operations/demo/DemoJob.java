package dev.spur.service.operations.demo;

import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.ChangeCosts;
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
 * A job of the demo with synthetic speeds. A step takes the time of its samples on one device, a constant, and the
 * exchange of gradients.
 *
 * @param speed samples per second on one RTX2080Ti, without exchange
 * @param exchangeSeconds time of an AllReduce between two nodes; a tenth of it within a node
 * @param noiseScale gradient noise scale, samples: the larger, the more a large batch pays
 * @param minutes duration of its work at {@code speed} on four RTX2080Ti
 * @param cpus CPU cores that each slot requires for loading
 * @param servers true if it may also run with parameter servers
 */
record DemoJob(
        String name,
        String tenant,
        double speed,
        double exchangeSeconds,
        double noiseScale,
        double minutes,
        int minSlots,
        int maxSlots,
        int cpus,
        boolean servers) {
    private static final int BATCH = 128;
    private static final int[] BATCHES = {128, 256, 512, 1024};
    private static final int MAX_PER_DEVICE = 256;
    private static final double STEP_SECONDS = 0.02;
    /** Time of an exchange by one aggregation slot, relative to an AllReduce between two nodes. */
    private static final double ONE_AGGREGATOR = 0.5;

    private static final double LOCAL = 0.1;
    private static final int MAX_AGGREGATION = 2;
    private static final double RECONFIGURE_SECONDS = 1;

    /** Slots per node and speed relative to an RTX2080Ti, by accelerator type. */
    private static final Map<String, double[]> TYPES =
            Map.of("T4", new double[] {4, 0.55}, "RTX2080Ti", new double[] {8, 1}, "A100", new double[] {8, 3.2});

    /** About a dozen jobs of two tenants. */
    static List<DemoJob> all() {
        return List.of(
                new DemoJob("image classifier, large", "vision", 240, 0.8, 2_500, 9, 2, 16, 4, true),
                new DemoJob("translation", "language", 300, 1.2, 4_000, 10, 4, 16, 2, true),
                new DemoJob("language model, large", "language", 60, 2, 8_000, 15, 8, 16, 2, true),
                new DemoJob("recommendation", "language", 900, 0.9, 6_000, 4, 1, 8, 6, true),
                new DemoJob("image classifier, small", "vision", 600, 0.1, 600, 2, 1, 4, 4, false),
                new DemoJob("speech recognition", "language", 150, 0.5, 1_200, 5, 2, 8, 4, true),
                new DemoJob("object detector", "vision", 90, 0.6, 900, 6, 2, 8, 4, true),
                new DemoJob("segmentation", "vision", 70, 0.7, 700, 12, 4, 8, 2, false),
                new DemoJob("video features", "vision", 40, 0.4, 500, 4, 1, 8, 6, false),
                new DemoJob("super resolution", "vision", 55, 0.3, 400, 3, 1, 4, 2, true),
                new DemoJob("language model, small", "language", 200, 1, 3_000, 8, 4, 16, 2, true),
                new DemoJob("question answering", "language", 120, 0.3, 600, 3, 1, 4, 2, false));
    }

    /** The specification to submit. */
    JobSpec spec() {
        JobSpec spec = new JobSpec(
                new Work(WorkUnit.SAMPLES, 4 * speed * minutes * 60, null),
                new Elasticity(List.of(), List.of(), minSlots, maxSlots, true, List.of(), null, false),
                new BatchLimits(BATCH, BATCH, BATCHES[BATCHES.length - 1], MAX_PER_DEVICE, Map.of(), true),
                servers
                        ? new Synchronization(true, true, 1, MAX_AGGREGATION, gradientBytes())
                        : Synchronization.allReduceOnly(),
                StatisticalEfficiency.ofNoiseScale(noiseScale),
                new ThroughputProfile(points(), List.of()),
                new HostDemand(cpus, 8),
                10,
                20,
                true,
                1,
                0,
                null,
                null);
        return spec.edit()
                .changeCosts(new ChangeCosts(RECONFIGURE_SECONDS, null, null))
                .build();
    }

    /** The bytes of each worker, so that aggregators are busy for a fifth of an exchange. */
    private double gradientBytes() {
        double cpuSeconds = 0.2 * ONE_AGGREGATOR * exchangeSeconds;
        return Math.rint(cpuSeconds * AggregationSettings.DEFAULT.bytesPerSecond() / maxSlots);
    }

    private List<ProfilePoint> points() {
        List<ProfilePoint> points = new ArrayList<>();
        TYPES.forEach((type, facts) -> {
            for (int slots = 1; slots <= maxSlots; slots *= 2) {
                int nodes = (int) Math.ceil(slots / facts[0]);
                for (int batch : BATCHES) {
                    double compute = STEP_SECONDS + batch / (slots * speed * facts[1]);
                    double allReduce = slots == 1 ? 0 : exchangeSeconds * (nodes == 1 ? LOCAL : 1);
                    points.add(point(type, slots, nodes, batch, 0, compute + allReduce));
                    for (int aggregationSlots = 1; servers && aggregationSlots <= MAX_AGGREGATION; aggregationSlots++) {
                        double exchange = exchangeSeconds * ONE_AGGREGATOR / aggregationSlots;
                        points.add(point(type, slots, nodes, batch, aggregationSlots, compute + exchange));
                    }
                }
            }
        });
        return points;
    }

    private static ProfilePoint point(
            String type, int slots, int nodes, int batch, int aggregationSlots, double stepSeconds) {
        return new ProfilePoint(
                type,
                slots,
                nodes,
                batch,
                aggregationSlots == 0 ? SyncStrategy.ALL_REDUCE : SyncStrategy.PARAMETER_SERVER,
                aggregationSlots,
                Math.round(10 * batch / stepSeconds) / 10.0);
    }
}
