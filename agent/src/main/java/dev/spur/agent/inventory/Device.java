package dev.spur.agent.inventory;

import org.jspecify.annotations.Nullable;

/**
 * A device that can be given to a job.
 *
 * @param id its id in the service, such as its UUID; visible ASCII
 * @param visibleAs what {@code CUDA_VISIBLE_DEVICES} calls it
 * @param memoryGiB its memory, 0 if unknown
 * @param sliceOf UUID of the GPU that it is a slice of; null for a whole device
 */
public record Device(
        String id,
        String visibleAs,
        double memoryGiB,
        @Nullable String sliceOf) {

    public Device {
        if (id.isEmpty() || !id.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new IllegalArgumentException("\"%s\" is not the id of a device".formatted(id));
        }
        if (!(memoryGiB >= 0)) {
            throw new IllegalArgumentException("memoryGiB (%s) is negative".formatted(memoryGiB));
        }
    }

    /** A whole device. */
    public Device(String id, String visibleAs, double memoryGiB) {
        this(id, visibleAs, memoryGiB, null);
    }

    /** The GPU whose health is that of this device. */
    String gpu() {
        return sliceOf == null ? id : sliceOf;
    }
}
