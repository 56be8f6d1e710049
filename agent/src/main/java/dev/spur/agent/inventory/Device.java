package dev.spur.agent.inventory;

/**
 * A device that can be given to a job.
 *
 * @param id its id in the service, such as its UUID; visible ASCII
 * @param visibleAs what {@code CUDA_VISIBLE_DEVICES} calls it
 * @param memoryGiB its memory, 0 if unknown
 */
public record Device(String id, String visibleAs, double memoryGiB) {

    public Device {
        if (id.isEmpty() || !id.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new IllegalArgumentException("\"%s\" is not the id of a device".formatted(id));
        }
        if (!(memoryGiB >= 0)) {
            throw new IllegalArgumentException("memoryGiB (%s) is negative".formatted(memoryGiB));
        }
    }
}
