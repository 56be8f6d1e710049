package dev.spur.prediction;

import dev.spur.model.performance.StatisticalEfficiency;
import java.util.Optional;

/**
 * The batch size that a job would choose for itself on given slots.
 *
 * @param perDeviceBatch samples of one pass on one device
 * @param accumulationSteps passes of a step beyond the first
 * @param goodput useful samples per second
 */
public record BatchChoice(int perDeviceBatch, int accumulationSteps, double goodput) {
    /** Global batch sizes that are tried. */
    private static final int TRIALS = 50;
    /** Keeps a share that is whole but for rounding from being rounded up. */
    private static final double SLACK = 1e-8;

    /**
     * The choice with the highest goodput among 50 global batch sizes in geometric progression, the smallest of several; empty
     * if none fits the range. On one slot a batch above the initial one takes at least two passes, because one pass is too few
     * to measure gradient noise; without accumulation one slot keeps the initial batch. Source: Qiao et al., Pollux, OSDI '21.
     */
    public static Optional<BatchChoice> best(
            StepTimeModel model, StatisticalEfficiency efficiency, BatchRange range, int nodes, int slots) {
        double least = Math.max(range.initial(), (double) range.minPerDevice() * slots);
        double most = slots == 1 && !range.accumulation() ? range.initial() : range.max();
        BatchChoice best = null;
        for (int trial = 0; trial < TRIALS && least <= most; trial++) {
            double batch = least * Math.pow(most / least, (double) trial / (TRIALS - 1));
            BatchChoice choice = at(batch, model, efficiency, range, nodes, slots);
            if (choice.fits(range) && (best == null || choice.goodput > best.goodput)) {
                best = choice;
            }
        }
        return Optional.ofNullable(best);
    }

    private static BatchChoice at(
            double batch,
            StepTimeModel model,
            StatisticalEfficiency efficiency,
            BatchRange range,
            int nodes,
            int slots) {
        double share = batch / slots;
        int accumulation = range.accumulation() ? (int) Math.ceil(share / range.maxPerDevice() - SLACK) - 1 : 0;
        if (range.accumulation() && slots == 1 && share > range.initial() + SLACK) {
            accumulation = Math.max(1, accumulation);
        }
        int perDevice = (int) Math.ceil(share / (accumulation + 1) - SLACK);
        int whole = perDevice * slots * (accumulation + 1);
        double goodput =
                model.throughput(nodes, slots, perDevice, accumulation) * efficiency.at(whole, range.initial());
        return new BatchChoice(perDevice, accumulation, goodput);
    }

    private boolean fits(BatchRange range) {
        return perDeviceBatch >= range.minPerDevice() && perDeviceBatch <= range.maxPerDevice();
    }
}
