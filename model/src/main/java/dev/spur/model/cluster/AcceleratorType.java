package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A kind of accelerator, e.g. {@code A100}.
 *
 * @param name unique name
 * @param memoryGiB memory of one device in GiB; 0 if it was not stated
 * @param maxAllReduceSlots most devices of a job whose workers sum their gradients among themselves, at least 1; null
 *     for any number. Slices of GPUs have 1: NCCL does not reduce across them
 */
public record AcceleratorType(
        String name,
        double memoryGiB,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer maxAllReduceSlots) {
    @JsonCreator
    public AcceleratorType {
        Checks.named("name", name);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
        Checks.require(
                maxAllReduceSlots == null || maxAllReduceSlots >= 1,
                "maxAllReduceSlots (%s) of %s must be at least 1",
                maxAllReduceSlots,
                name);
    }

    /** A type of which any number of devices sum gradients among themselves. */
    public AcceleratorType(String name, double memoryGiB) {
        this(name, memoryGiB, null);
    }

    /** True if the workers of a job on {@code slots} devices may sum their gradients among themselves. */
    public boolean reducesOn(int slots) {
        return maxAllReduceSlots == null || slots <= maxAllReduceSlots;
    }
}
