package dev.spur.prediction;

import dev.spur.model.performance.StatisticalEfficiency;
import java.util.Optional;

/**
 * A batch size on given slots.
 *
 * @param perDeviceBatch samples of one pass on one device
 * @param accumulationSteps passes of a step in addition to the first
 * @param batchSize global batch size
 * @param goodput effective samples per second; 0 if not computed
 */
public record BatchChoice(int perDeviceBatch, int accumulationSteps, int batchSize, double goodput) {
    /** Number of global batch sizes that the search evaluates. */
    private static final int TRIALS = 50;
    /** Tolerance that keeps a share from being rounded up because of a rounding error. */
    private static final double SLACK = 1e-8;

    /** The goodput of a choice. */
    @FunctionalInterface
    public interface Speed {
        /** Returns the effective samples per second with these passes, whose samples sum to {@code batchSize}. */
        double goodput(int perDeviceBatch, int accumulationSteps, int batchSize);
    }

    /**
     * Returns the choice with the maximum goodput among 50 global batch sizes in geometric progression, the smallest of
     * several; empty if none is in the range. Without accumulation, one slot keeps the initial batch. Source: Qiao et
     * al., Pollux, OSDI '21.
     */
    public static Optional<BatchChoice> best(BatchRange range, int slots, Speed speed) {
        double min = Math.max(range.initial(), (double) range.minPerDevice() * slots);
        double max = slots == 1 && !range.accumulation() ? range.initial() : range.max();
        BatchChoice best = null;
        for (int trial = 0; trial < TRIALS && min <= max; trial++) {
            BatchChoice split = split(min * Math.pow(max / min, (double) trial / (TRIALS - 1)), range, slots);
            if (!split.fits(range) || (best != null && best.batchSize == split.batchSize)) {
                continue;
            }
            double goodput = speed.goodput(split.perDeviceBatch, split.accumulationSteps, split.batchSize);
            if (best == null || goodput > best.goodput) {
                best = new BatchChoice(split.perDeviceBatch, split.accumulationSteps, split.batchSize, goodput);
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns the best choice with goodput by a fitted model. */
    public static Optional<BatchChoice> best(
            StepTimeModel model, StatisticalEfficiency efficiency, BatchRange range, int nodes, int slots) {
        return best(
                range,
                slots,
                (perDevice, accumulation, batch) -> model.throughput(nodes, slots, perDevice, accumulation)
                        * efficiency.at(batch, range.initial()));
    }

    /**
     * Returns the passes into which {@code batch} is split on {@code slots} devices: the minimum that their memory
     * permits. On one slot, a batch above the initial one takes at least two passes, because gradient noise cannot be
     * measured in one. The batch is rounded up to whole passes within the range. Source: Qiao et al., Pollux, OSDI '21.
     */
    public static BatchChoice split(double batch, BatchRange range, int slots) {
        double share = batch / slots;
        int accumulation = range.accumulation() ? (int) Math.ceil(share / range.maxPerDevice() - SLACK) - 1 : 0;
        if (range.accumulation() && slots == 1 && share > range.initial() + SLACK) {
            accumulation = Math.max(1, accumulation);
        }
        int passes = slots * (accumulation + 1);
        int perDevice = Math.min((int) Math.ceil(batch / passes - SLACK), range.max() / passes);
        return new BatchChoice(perDevice, accumulation, perDevice * passes, 0);
    }

    private boolean fits(BatchRange range) {
        return perDeviceBatch >= range.minPerDevice() && perDeviceBatch <= range.maxPerDevice();
    }
}
