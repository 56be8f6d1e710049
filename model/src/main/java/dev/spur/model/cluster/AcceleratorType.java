package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A type of accelerator, for example {@code A100}.
 *
 * @param name unique name
 * @param memoryGiB memory of one device in GiB; 0 if unknown
 * @param maxAllReduceSlots maximum number of devices of an AllReduce job, at least 1; null for no limit. GPU slices
 *     (MIG) have 1, because NCCL does not reduce across them
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

    /** An accelerator type without a limit on AllReduce slots. */
    public AcceleratorType(String name, double memoryGiB) {
        this(name, memoryGiB, null);
    }

    /** Returns true if a job on {@code slots} devices may use AllReduce. */
    public boolean reducesOn(int slots) {
        return maxAllReduceSlots == null || slots <= maxAllReduceSlots;
    }
}
