package dev.spur.simulator.trace.synthetic;

import dev.spur.model.allocation.Shapes;
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
import dev.spur.model.worth.Goodput;
import dev.spur.prediction.StepTimeModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Models that nobody has measured, with step times in the form of Pollux: one that computes much and sends little, one that sends
 * much, and two between. A step on another accelerator type is shorter by one factor for each type, 1 for types not named here.
 *
 * @param steps step times on a T4
 * @param initialBatch global batch size the model is tuned for, and its smallest
 * @param largestBatch largest global batch size
 * @param mostPerDevice most samples that fit a device
 * @param noiseScale gradient noise scale, samples
 */
record MadeUpModel(StepTimeModel steps, int initialBatch, int largestBatch, int mostPerDevice, double noiseScale) {
    static final MadeUpModel VISION =
            new MadeUpModel(new StepTimeModel(0.03, 0.0012, 0.06, 0.003, 0.02, 0.001, 2), 128, 4096, 512, 3000);
    static final MadeUpModel LANGUAGE =
            new MadeUpModel(new StepTimeModel(0.05, 0.02, 0.5, 0.02, 0.1, 0.01, 1.8), 32, 512, 32, 200);
    static final MadeUpModel SPEECH =
            new MadeUpModel(new StepTimeModel(0.2, 0.02, 0.3, 0.02, 0.08, 0.004, 1.5), 32, 640, 48, 150);
    static final MadeUpModel DETECTION =
            new MadeUpModel(new StepTimeModel(0.15, 0.025, 0.4, 0.02, 0.15, 0.01, 1.3), 16, 256, 16, 80);

    static final List<MadeUpModel> ALL = List.of(VISION, LANGUAGE, SPEECH, DETECTION);

    /** Most slots of a job. */
    static final int MOST_SLOTS = 16;

    private static final int BATCHES = 8;
    private static final double RESTART_SECONDS = 30;
    private static final Map<String, Double> FACTORS =
            Map.of("K80", 0.3, "T4", 1.0, "P100", 1.2, "RTX2080Ti", 1.6, "V100", 2.6, "A100", 5.0, "H100", 10.0);

    /** A job that takes {@code seconds} on {@code slots} of {@code type}, the fewest nodes and the best batch size there. */
    JobSpec job(Machines machines, String type, int slots, double seconds) {
        JobSpec withoutWork = spec(machines, 1);
        int nodes = Shapes.consolidated(slots, machines.perNode(type)).size();
        OptionalInt batch = Goodput.bestBatch(withoutWork, type, slots, nodes, SyncStrategy.ALL_REDUCE, 0);
        double goodput =
                Goodput.of(withoutWork, type, slots, nodes, SyncStrategy.ALL_REDUCE, 0, batch.orElse(initialBatch));
        return spec(machines, goodput * seconds);
    }

    private JobSpec spec(Machines machines, double samples) {
        return new JobSpec(
                JobKind.TRAINING,
                new Work(WorkUnit.SAMPLES, samples, null),
                Elasticity.between(1, Math.min(MOST_SLOTS, machines.mostSlots())),
                new BatchLimits(initialBatch, initialBatch, largestBatch, mostPerDevice, Map.of(), false),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.ofNoiseScale(noiseScale),
                machines.profile(this),
                HostDemand.NONE,
                RESTART_SECONDS,
                0,
                true,
                1,
                0);
    }

    /** Speeds on one node and on several, by number of slots and global batch size. */
    ThroughputProfile profile(Machines machines) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : machines.types()) {
            for (int slots = 1; slots <= Math.min(MOST_SLOTS, machines.slots(type)); slots++) {
                int fewest = Shapes.consolidated(slots, machines.perNode(type)).size();
                addPoints(points, type, slots, fewest);
                if (fewest == 1 && slots > 1) {
                    addPoints(points, type, slots, 2);
                }
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    private void addPoints(List<ProfilePoint> points, String type, int slots, int nodes) {
        double factor = FACTORS.getOrDefault(type, 1.0);
        double most = Math.min(largestBatch, (double) mostPerDevice * slots);
        int last = 0;
        for (int i = 0; i < BATCHES && initialBatch <= most; i++) {
            int batch = (int) Math.round(initialBatch * Math.pow(most / initialBatch, i / (BATCHES - 1.0)));
            if (batch > last) {
                last = batch;
                double speed = factor * steps.throughput(nodes, slots, (double) batch / slots, 0);
                points.add(ProfilePoint.allReduce(type, slots, nodes, batch, speed));
            }
        }
    }
}
