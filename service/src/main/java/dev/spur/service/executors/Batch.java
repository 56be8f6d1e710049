package dev.spur.service.executors;

import dev.spur.model.allocation.Configuration;

/**
 * The batch sizes of an allocation: {@code global = slots x perDevice x (accumulation + 1)}.
 *
 * @param perDevice samples of one pass on one device
 * @param accumulation passes per step beyond the first
 * @param global samples of a step on all devices
 */
public record Batch(int perDevice, int accumulation, int global) {
    /** Batch sizes of a configuration. */
    public static Batch of(Configuration configuration) {
        return new Batch(configuration.perDeviceBatch(), configuration.accumulationSteps(), configuration.batchSize());
    }
}
