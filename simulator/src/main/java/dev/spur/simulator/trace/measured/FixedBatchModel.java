package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
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
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.BatchChoice;
import dev.spur.prediction.BatchRange;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * True speed of jobs of one model at one global batch size. Progress counts samples at that batch size, so the rate is
 * the same in every epoch. An epoch with a lower gain per sample has more samples.
 */
final class FixedBatchModel implements GroundTruth {
    private final MeasuredModel model;
    private final SimulatorConventions conventions;
    private final int batch;
    private final double totalSamples;

    FixedBatchModel(MeasuredModel model, SimulatorConventions conventions, int batch) {
        this.model = model;
        this.conventions = conventions;
        this.batch = batch;
        double iterations = 0;
        for (int e = 0; e < conventions.epochs(model.name(), model.epochs().count()); e++) {
            double progress =
                    model.epochs().progressAfter(e + 1) - model.epochs().progressAfter(e);
            iterations += progress / model.epochs().gain(batch, e);
        }
        totalSamples = iterations * batch;
    }

    double totalSamples() {
        return totalSamples;
    }

    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        return new ProgressRate(
                samplesPerSecond(configuration.acceleratorType(), configuration.shape()), totalSamples, true);
    }

    @Override
    public double startSeconds(boolean first) {
        return conventions.startSeconds(model.name());
    }

    /** Returns the samples per second on {@code shape}, in descending order; 0 on a type that was not measured. */
    double samplesPerSecond(String type, List<Integer> shape) {
        return model.stepTimes(type)
                .map(times -> batch / seconds(times, shape, sum(shape), perDevice -> times.at(shape, perDevice)))
                .orElse(0.0);
    }

    private interface Timings {
        Timing at(int perDevice);
    }

    private double seconds(StepTimes times, List<Integer> shape, int slots, Timings timings) {
        BatchRange range = model.range(times, shape, conventions.maxPerDevice(model.name()));
        BatchChoice split = BatchChoice.split(batch, range, slots);
        double step = timings.at(Math.max(1, split.perDeviceBatch())).accumulate(split.accumulationSteps());
        return step * conventions.slowdown(model.name());
    }

    /** Returns the maximum number of slots that the batch keeps busy on any type of the cluster. */
    int maxSlots(AcceleratorInventory inventory) {
        int maxSlots = 1;
        for (String type : types(inventory)) {
            int busy = batch / model.stepTimes(type).orElseThrow().minPerDevice();
            maxSlots = Math.max(maxSlots, Math.min(busy, inventory.slots(type)));
        }
        return Math.min(maxSlots, conventions.maxSlots(model.name()));
    }

    /** Returns the spec that policies receive for a job on {@code minSlots} to {@code maxSlots} slots. */
    JobSpec spec(AcceleratorInventory inventory, int minSlots, int maxSlots) {
        List<ProfilePoint> points = new ArrayList<>();
        types(inventory).forEach(type -> addPoints(points, type, Math.min(inventory.slots(type), maxSlots)));
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, totalSamples, null),
                Elasticity.between(minSlots, maxSlots),
                BatchLimits.roundedUp(batch, maxSlots),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.LEVEL,
                new ThroughputProfile(points, List.of()),
                HostDemand.NONE,
                conventions.assumedStartSeconds(model.name()),
                0,
                true,
                1,
                0,
                null,
                null);
    }

    private void addPoints(List<ProfilePoint> points, String type, int maxSlots) {
        StepTimes times = model.stepTimes(type).orElseThrow();
        for (Map.Entry<Integer, Set<Integer>> shapes : times.shapes().entrySet()) {
            int nodes = shapes.getKey();
            for (int slots : shapes.getValue()) {
                if (slots <= maxSlots && slots <= batch) {
                    double seconds = seconds(
                            times, Shapes.even(slots, nodes), slots, perDevice -> times.mean(nodes, slots, perDevice));
                    points.add(ProfilePoint.allReduce(type, slots, nodes, batch, batch / seconds));
                }
            }
        }
    }

    /** Returns the seconds of all work on {@code slots} of the fastest type; infinite if no type fits. */
    double secondsAlone(AcceleratorInventory inventory, int slots) {
        return types(inventory).stream()
                .filter(type -> inventory.slots(type) >= slots)
                .mapToDouble(type -> totalSamples / samplesPerSecond(type, inventory.tight(type, slots)))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private List<String> types(AcceleratorInventory inventory) {
        return inventory.types().stream().filter(model.types()::contains).toList();
    }

    private static int sum(List<Integer> shape) {
        return shape.stream().mapToInt(Integer::intValue).sum();
    }
}
