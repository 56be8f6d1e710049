package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The global batch sizes that a job may use, in samples per step. A step consists of one or more passes; each pass
 * gives every device the same number of samples: {@code global batch = slots x per-device batch x passes}.
 *
 * @param initial the batch size for which the job was tuned; its statistical efficiency is 1
 * @param min minimum
 * @param max maximum
 * @param maxPerDevice maximum samples that fit into the memory of one device
 * @param maxPerDeviceByType the same by accelerator type, where it differs
 * @param accumulation true if a batch beyond the memory of the devices may be split into several passes
 * @param multipleOf the per-device batch of a pass is a multiple of this
 */
public record BatchLimits(
        int initial,
        int min,
        int max,
        int maxPerDevice,
        Map<String, Integer> maxPerDeviceByType,
        boolean accumulation,
        int multipleOf) {
    /** Maximum default of {@code max}. */
    private static final int MAX_SAMPLES = 10_000_000;

    public BatchLimits {
        Checks.atLeast("min", min, 1);
        Checks.require(initial >= min, "initial (%s) must be at least min (%s)", initial, min);
        Checks.require(max >= initial, "max (%s) must be at least initial (%s)", max, initial);
        Checks.atLeast("maxPerDevice", maxPerDevice, 1);
        maxPerDeviceByType = Checks.copy(maxPerDeviceByType);
        maxPerDeviceByType.forEach((type, limit) -> Checks.atLeast("maxPerDeviceByType." + type, limit, 1));
        Checks.atLeast("multipleOf", multipleOf, 1);
    }

    /** Limits with any number of samples per device. */
    public BatchLimits(
            int initial,
            int min,
            int max,
            int maxPerDevice,
            Map<String, Integer> maxPerDeviceByType,
            boolean accumulation) {
        this(initial, min, max, maxPerDevice, maxPerDeviceByType, accumulation, 1);
    }

    @JsonCreator
    static BatchLimits read(
            @JsonProperty("initial") int initial,
            @JsonProperty("min") int min,
            @JsonProperty("max") int max,
            @JsonProperty("maxPerDevice") int maxPerDevice,
            @JsonProperty("maxPerDeviceByType") Map<String, Integer> maxPerDeviceByType,
            @JsonProperty("accumulation") boolean accumulation,
            @JsonProperty("multipleOf") @Nullable Integer multipleOf) {
        return new BatchLimits(
                initial, min, max, maxPerDevice, maxPerDeviceByType, accumulation, multipleOf == null ? 1 : multipleOf);
    }

    /** Returns limits that allow only {@code batch}, on every number of slots that divides it. */
    public static BatchLimits ofBatch(int batch) {
        return new BatchLimits(batch, batch, batch, batch, Map.of(), true);
    }

    /**
     * Returns limits that allow {@code batch} rounded up to equal shares of up to {@code maxSlots} devices, as systems
     * choose it that round up the share of each device.
     */
    public static BatchLimits roundedUp(int batch, int maxSlots) {
        return new BatchLimits(batch, batch, batch + maxSlots - 1, batch, Map.of(), true);
    }

    /** Returns the default of {@code max}: a pass of {@code slots} full devices, at least {@code initial}. */
    public static int defaultMax(int initial, int maxPerDevice, int slots) {
        return (int) Math.max(initial, Math.min(MAX_SAMPLES, (long) maxPerDevice * slots));
    }

    /** Returns these limits with the initial batch size as the only one. */
    public BatchLimits onlyInitial() {
        return min == max
                ? this
                : new BatchLimits(
                        initial, initial, initial, maxPerDevice, maxPerDeviceByType, accumulation, multipleOf);
    }

    /** Returns the maximum global batch of {@code slots} devices of {@code type}, at most {@link #max}. */
    public int largest(String type, int slots) {
        return accumulation ? max : (int) Math.min(max, fullPass(type, slots));
    }

    /**
     * Returns true if {@code batch} is within the limits and {@code slots} devices of {@code type} can share it
     * equally.
     */
    public boolean allows(int batch, String type, int slots) {
        return batch >= min && batch <= max && passes(batch, type, slots).isPresent();
    }

    /** Returns true if any batch size is allowed on {@code slots} devices of {@code type}. */
    public boolean fits(String type, int slots) {
        return allows(initial, type, slots) || atLeast(min, type, slots).isPresent();
    }

    /** Returns true if {@code slots} devices can share a batch within the limits equally, whatever their memory. */
    public boolean dividesAmong(int slots) {
        long unit = (long) slots * multipleOf;
        return max / unit * unit >= min;
    }

    /**
     * Returns the passes per step of {@code batch} on {@code slots} devices of {@code type}: the minimum that their
     * memory requires. Only the initial batch may use more, where that minimum does not divide it. Empty if the devices
     * cannot share the batch equally.
     */
    public OptionalInt passes(int batch, String type, int slots) {
        int share = batch / slots;
        int limit = perDevice(type) / multipleOf;
        if (share < 1 || batch % slots != 0 || share % multipleOf != 0 || limit == 0) {
            return OptionalInt.empty();
        }
        int units = share / multipleOf;
        int required = ceilDiv(units, limit);
        if (required > 1 && !accumulation) {
            return OptionalInt.empty();
        }
        if (units % required == 0) {
            return OptionalInt.of(required);
        }
        return batch == initial ? OptionalInt.of(units / largestDivisor(units, limit)) : OptionalInt.empty();
    }

    /**
     * Returns the largest allowed batch up to {@code batch} with the minimum number of passes that memory requires;
     * empty if there is none.
     */
    public OptionalInt atMost(int batch, String type, int slots) {
        return present(shares(type, slots).atMost(batch));
    }

    /**
     * Returns the smallest allowed batch from {@code batch} on with the minimum number of passes that memory requires;
     * empty if there is none.
     */
    public OptionalInt atLeast(int batch, String type, int slots) {
        return present(shares(type, slots).atLeast(batch));
    }

    /**
     * Returns the allowed batch sizes that {@code slots} devices of {@code type} share equally with the minimum number
     * of passes that memory requires.
     */
    public FeasibleBatchSizes shares(String type, int slots) {
        return new FeasibleBatchSizes(min, largest(type, slots), (long) slots * multipleOf, fullPass(type, slots));
    }

    private static OptionalInt present(int batch) {
        return batch == 0 ? OptionalInt.empty() : OptionalInt.of(batch);
    }

    /**
     * Returns the passes per step in addition to the first: those of {@link #passes}. For a batch that the devices
     * cannot share equally, which measured steps may have, it is the minimum that memory requires.
     */
    public int accumulationSteps(int batch, String type, int slots) {
        return passes(batch, type, slots).orElseGet(() -> ceilDiv(ceilDiv(batch, slots), perDevice(type))) - 1;
    }

    /** Returns the maximum samples of one pass on {@code slots} devices of {@code type}. */
    private long fullPass(String type, int slots) {
        return (long) (perDevice(type) / multipleOf) * multipleOf * slots;
    }

    private int perDevice(String type) {
        Integer own = maxPerDeviceByType.get(type);
        return own == null ? maxPerDevice : own;
    }

    /** Returns the largest divisor of {@code number} up to {@code limit}. */
    private static int largestDivisor(int number, int limit) {
        int largest = 1;
        for (int i = 1; (long) i * i <= number; i++) {
            if (number % i == 0) {
                largest = Math.max(largest, i <= limit ? i : 1);
                largest = Math.max(largest, number / i <= limit ? number / i : 1);
            }
        }
        return largest;
    }

    private static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }
}
