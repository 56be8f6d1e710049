package dev.spur.prediction;

import dev.spur.model.Checks;

/**
 * The batch sizes among which a job may choose, in samples.
 *
 * @param initial global batch size for which the job was tuned
 * @param max maximum global batch size, at least {@code initial}
 * @param minPerDevice minimum samples of one pass on one device
 * @param maxPerDevice maximum samples of one pass on one device
 * @param accumulation true if a step may consist of several passes
 */
public record BatchRange(int initial, int max, int minPerDevice, int maxPerDevice, boolean accumulation) {
    public BatchRange {
        Checks.atLeast("initial", initial, 1);
        Checks.require(max >= initial, "max (%s) must be at least initial (%s)", max, initial);
        Checks.atLeast("minPerDevice", minPerDevice, 1);
        Checks.require(
                maxPerDevice >= minPerDevice,
                "maxPerDevice (%s) must be at least minPerDevice (%s)",
                maxPerDevice,
                minPerDevice);
    }
}
