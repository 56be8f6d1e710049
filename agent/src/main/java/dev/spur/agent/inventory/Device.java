package dev.spur.agent.inventory;

import org.jspecify.annotations.Nullable;

/**
 * A schedulable device.
 *
 * @param id id in the service, such as a UUID; visible ASCII
 * @param visibleAs name in {@code CUDA_VISIBLE_DEVICES}
 * @param memoryGiB memory, 0 if unknown
 * @param sliceOf id of the GPU of a slice (MIG); null for a whole device
 */
public record Device(
        String id,
        String visibleAs,
        double memoryGiB,
        @Nullable String sliceOf) {

    public Device {
        if (id.isEmpty() || !id.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new IllegalArgumentException("invalid device id \"%s\"".formatted(id));
        }
        if (!(memoryGiB >= 0)) {
            throw new IllegalArgumentException("memoryGiB (%s) must not be negative".formatted(memoryGiB));
        }
    }

    /** Creates a whole device. */
    public Device(String id, String visibleAs, double memoryGiB) {
        this(id, visibleAs, memoryGiB, null);
    }

    /** Returns true for a slice (MIG). */
    boolean isSlice() {
        return sliceOf != null;
    }

    /** Returns the id of the GPU whose health applies to this device. */
    String gpu() {
        return sliceOf == null ? id : sliceOf;
    }
}
