package dev.spur.model.job;

import dev.spur.model.Checks;
import java.util.Map;

/**
 * The global batch sizes that a job may use, in samples per step.
 *
 * @param initial the batch size the job was tuned for; statistical efficiency is 1 there
 * @param min smallest
 * @param max largest
 * @param maxPerDevice most samples that fit the memory of one device
 * @param maxPerDeviceByType the same for single accelerator types, where it differs
 * @param accumulation true if a batch beyond the memory of the devices may be split into several passes
 */
public record BatchLimits(
        int initial,
        int min,
        int max,
        int maxPerDevice,
        Map<String, Integer> maxPerDeviceByType,
        boolean accumulation) {
    public BatchLimits {
        Checks.atLeast("min", min, 1);
        Checks.require(initial >= min, "initial (%s) must be at least min (%s)", initial, min);
        Checks.require(max >= initial, "max (%s) must be at least initial (%s)", max, initial);
        Checks.atLeast("maxPerDevice", maxPerDevice, 1);
        maxPerDeviceByType = Checks.copy(maxPerDeviceByType);
        maxPerDeviceByType.forEach((type, limit) -> Checks.atLeast("maxPerDeviceByType." + type, limit, 1));
    }

    /** Only {@code batch}, whatever the number of slots. */
    public static BatchLimits fixed(int batch) {
        return new BatchLimits(batch, batch, batch, batch, Map.of(), true);
    }

    /** Largest global batch that {@code slots} devices of {@code type} can take, at most {@link #max}. */
    public int largest(String type, int slots) {
        return accumulation ? max : (int) Math.min(max, (long) perDevice(type) * slots);
    }

    /** True if {@code batch} is within the limits on {@code slots} devices of {@code type}. */
    public boolean allows(int batch, String type, int slots) {
        return batch >= min && batch >= slots && batch <= largest(type, slots);
    }

    /** Passes per step that {@code batch} needs on {@code slots} devices of {@code type}, less one: at least 0. */
    public int accumulationSteps(int batch, String type, int slots) {
        int share = ceilDiv(batch, slots);
        return Math.max(0, ceilDiv(share, perDevice(type)) - 1);
    }

    private int perDevice(String type) {
        return maxPerDeviceByType.getOrDefault(type, maxPerDevice);
    }

    private static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }
}
