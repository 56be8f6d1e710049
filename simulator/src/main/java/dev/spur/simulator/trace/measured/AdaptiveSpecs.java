package dev.spur.simulator.trace.measured;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Specs that policies receive for jobs that tune their batch size: limits, and profiles over a grid of global batch
 * sizes.
 */
final class AdaptiveSpecs {
    /** Number of global batch sizes of a profile, in geometric progression. */
    private static final int BATCHES = 12;

    private final AdaptiveModel adaptive;
    private final AcceleratorInventory inventory;
    private final int largestBatch;
    private final BatchLimits limits;

    /**
     * Creates the specs.
     *
     * @param largestBatch largest global batch size that policies plan with, at least the initial one
     */
    AdaptiveSpecs(AdaptiveModel adaptive, AcceleratorInventory inventory, int largestBatch) {
        this.adaptive = adaptive;
        this.inventory = inventory;
        MeasuredModel model = adaptive.model();
        this.largestBatch = Math.max(model.initialBatch(), Math.min(largestBatch, model.largestBatch()));
        Map<String, Integer> perDevice = new HashMap<>();
        model.types()
                .forEach(type -> perDevice.put(type, range(type, List.of(1)).maxPerDevice()));
        int min = perDevice.values().stream().mapToInt(Integer::intValue).min().orElse(model.initialBatch());
        limits = new BatchLimits(model.initialBatch(), model.initialBatch(), this.largestBatch, min, perDevice, true);
    }

    AdaptiveModel adaptive() {
        return adaptive;
    }

    BatchLimits limits() {
        return limits;
    }

    AcceleratorInventory inventory() {
        return inventory;
    }

    /** Returns the types of the cluster for which the model was measured, in the order of the cluster. */
    List<String> types() {
        return inventory.types().stream()
                .filter(adaptive.model().types()::contains)
                .toList();
    }

    StepTimes times(String type) {
        return adaptive.model().stepTimes(type).orElseThrow();
    }

    BatchRange range(String type, List<Integer> shape) {
        SimulatorConventions conventions = adaptive.conventions();
        MeasuredModel model = adaptive.model();
        BatchRange all = model.range(times(type), shape, conventions.maxPerDevice(model.name()));
        return new BatchRange(all.initial(), largestBatch, all.minPerDevice(), all.maxPerDevice(), true);
    }

    /** Returns the maximum number of slots of a job on this cluster: as many as the largest batch keeps busy. */
    int maxSlots() {
        int max = 1;
        for (String type : types()) {
            int busy = adaptive.model().largestBatch() / times(type).minPerDevice();
            max = Math.max(max, Math.min(busy, inventory.slots(type)));
        }
        return Math.min(max, adaptive.conventions().maxSlots(adaptive.model().name()));
    }

    /** Duration of a step with {@code perDevice} samples per pass. */
    interface StepSeconds {
        double of(int perDevice, int accumulation);
    }

    /** Adds the points of {@code slots} on {@code nodes} of {@code type}, if any batch size fits there. */
    void addPoints(
            List<ProfilePoint> points, String type, int slots, int nodes, BatchRange range, StepSeconds seconds) {
        double min = Math.max(range.initial(), (double) range.minPerDevice() * slots);
        double max = range.max();
        double slowdown = adaptive.conventions().slowdown(adaptive.model().name());
        int last = 0;
        for (int i = 0; i < BATCHES && min <= max; i++) {
            BatchChoice split = BatchChoice.split(min * Math.pow(max / min, i / (BATCHES - 1.0)), range, slots);
            if (split.batchSize() > last && split.perDeviceBatch() >= range.minPerDevice()) {
                last = split.batchSize();
                double step = seconds.of(split.perDeviceBatch(), split.accumulationSteps()) * slowdown;
                points.add(ProfilePoint.allReduce(type, slots, nodes, last, last / step));
            }
        }
    }

    /**
     * Adds the speeds of {@code model} for up to {@code maxSlots} slots. The model distinguishes only between one node
     * and several nodes, so one shape for each suffices.
     */
    void addGrid(List<ProfilePoint> points, String type, StepModel model, int maxSlots) {
        int perNode = inventory.perNode(type);
        for (int slots : counts(maxSlots, perNode)) {
            int minNodes = (slots + perNode - 1) / perNode;
            addPoints(points, type, model, slots, minNodes);
            if (minNodes == 1 && slots > 1) {
                addPoints(points, type, model, slots, 2);
            }
        }
    }

    private void addPoints(List<ProfilePoint> points, String type, StepModel model, int slots, int nodes) {
        BatchRange range = range(type, Shapes.even(slots, nodes));
        addPoints(
                points,
                type,
                slots,
                nodes,
                range,
                (perDevice, accumulation) -> model.stepSeconds(nodes, slots, perDevice, accumulation));
    }

    /** Returns powers of two, multiples of a node, and the maximum; profiles interpolate linearly between them. */
    private static NavigableSet<Integer> counts(int max, int perNode) {
        NavigableSet<Integer> counts = new TreeSet<>(Set.of(max));
        for (int slots = 1; slots <= max; slots *= 2) {
            counts.add(slots);
        }
        for (int slots = perNode; slots <= max; slots += perNode) {
            counts.add(slots);
        }
        return counts;
    }

    /** Returns the profile of an unobserved job: one slot of each type, at one step per second on each type. */
    ThroughputProfile ofNothing() {
        int batch = adaptive.model().initialBatch();
        return new ThroughputProfile(
                types().stream()
                        .map(type -> ProfilePoint.allReduce(type, 1, 1, batch, batch))
                        .toList(),
                List.of());
    }

    /** Returns the job's spec with this profile and efficiency, and at most {@code maxSlots} slots. */
    JobSpec spec(ThroughputProfile profile, StatisticalEfficiency efficiency, int maxSlots) {
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, adaptive.totalSamples(), null),
                Elasticity.between(1, maxSlots),
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
                null,
                null);
    }
}
