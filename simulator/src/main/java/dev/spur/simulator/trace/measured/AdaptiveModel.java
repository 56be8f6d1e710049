package dev.spur.simulator.trace.measured;

import dev.spur.prediction.BatchChoice;
import dev.spur.prediction.BatchRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * True goodput of jobs of one model that choose their batch size themselves. In each epoch they use the batch size of
 * the highest goodput on their placement. Progress counts samples at the initial batch size.
 */
final class AdaptiveModel {
    private record Stretch(String type, List<Integer> shape, int epoch) {}

    private final MeasuredModel model;
    private final SimulatorConventions conventions;
    /** Progress at the beginning of each epoch, and at the end of the last. */
    private final double[] boundaries;

    private final Map<Stretch, Optional<BatchChoice>> choices = new ConcurrentHashMap<>();

    AdaptiveModel(MeasuredModel model, SimulatorConventions conventions) {
        this.model = model;
        this.conventions = conventions;
        int epochs = conventions.epochs(model.name(), model.epochs().count());
        boundaries = new double[epochs + 1];
        Arrays.setAll(boundaries, e -> model.epochs().progressAfter(e) * model.initialBatch());
    }

    MeasuredModel model() {
        return model;
    }

    SimulatorConventions conventions() {
        return conventions;
    }

    int epochs() {
        return boundaries.length - 1;
    }

    /** Returns the progress at which {@code epoch} ends. */
    double endOf(int epoch) {
        return boundaries[epoch + 1];
    }

    double totalSamples() {
        return boundaries[boundaries.length - 1];
    }

    /** Returns the epoch, counted from 0, at a given progress; the last one if the job is done. */
    int epochAt(double doneSamples) {
        int at = Arrays.binarySearch(boundaries, doneSamples);
        int epoch = at >= 0 ? at : -at - 2;
        return Math.max(0, Math.min(epochs() - 1, epoch));
    }

    /**
     * Returns the batch choice of a job during {@code epoch}; empty if it cannot run on {@code shape} of {@code type}.
     */
    Optional<BatchChoice> choice(String type, List<Integer> shape, int epoch) {
        return choices.computeIfAbsent(new Stretch(type, shape, epoch), this::best);
    }

    /** Returns the effective samples per second; 0 if the job cannot run there. */
    double samplesPerSecond(String type, List<Integer> shape, int epoch) {
        return choice(type, shape, epoch).map(BatchChoice::goodput).orElse(0.0);
    }

    private Optional<BatchChoice> best(Stretch stretch) {
        StepTimes times = model.stepTimes(stretch.type).orElse(null);
        int slots = stretch.shape.stream().mapToInt(Integer::intValue).sum();
        if (times == null || slots > conventions.maxSlots(model.name())) {
            return Optional.empty();
        }
        return BatchChoice.best(
                range(stretch.type, stretch.shape),
                slots,
                (perDevice, accumulation, batch) -> trueSpeed(times, stretch, perDevice, accumulation, batch));
    }

    private double trueSpeed(StepTimes times, Stretch stretch, int perDevice, int accumulation, int batch) {
        return model.initialBatch()
                / conventions.slowdown(model.name())
                * gain(batch, stretch.epoch)
                / times.at(stretch.shape, perDevice).accumulate(accumulation);
    }

    /** Returns the effective samples per second if the job runs with {@code choice}; 0 if it cannot run there. */
    double trueSamplesPerSecond(String type, List<Integer> shape, int epoch, BatchChoice choice) {
        int slots = shape.stream().mapToInt(Integer::intValue).sum();
        return model.stepTimes(type)
                .filter(times -> slots <= conventions.maxSlots(model.name()))
                .map(times -> trueSpeed(
                        times,
                        new Stretch(type, shape, epoch),
                        choice.perDeviceBatch(),
                        choice.accumulationSteps(),
                        choice.batchSize()))
                .orElse(0.0);
    }

    /** Returns the number of iterations at the initial batch size that one iteration at {@code batch} replaces. */
    double gain(int batch, int epoch) {
        return model.epochs().gain(batch, epoch);
    }

    /** Returns the batch sizes on {@code shape} of {@code type}, for which the model was measured. */
    BatchRange range(String type, List<Integer> shape) {
        return model.range(model.stepTimes(type).orElseThrow(), shape, conventions.maxPerDevice(model.name()));
    }

    /**
     * Returns the seconds of all work on {@code slots} of the fastest type, on the minimum number of nodes; infinite if
     * no type fits.
     */
    double secondsAlone(AcceleratorInventory inventory, int slots) {
        return inventory.types().stream()
                .filter(type -> inventory.slots(type) >= slots)
                .mapToDouble(type -> secondsOn(type, inventory.tight(type, slots)))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private double secondsOn(String type, List<Integer> shape) {
        double seconds = 0;
        for (int epoch = 0; epoch < epochs(); epoch++) {
            seconds += (boundaries[epoch + 1] - boundaries[epoch]) / samplesPerSecond(type, shape, epoch);
        }
        return seconds;
    }
}
