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
 * @param contention relative increase of the step time of a job on several nodes by each further such job on one of
 *     them, at least 0; null if it was not measured
 * @param idleWatts power of an idle device, at least 0; null if unknown, which counts as 0
 * @param loadWatts power of a busy device, at least 0; null if unknown, which counts as 0
 */
public record AcceleratorType(
        String name,
        double memoryGiB,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer maxAllReduceSlots,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double contention,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double idleWatts,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double loadWatts) {
    @JsonCreator
    public AcceleratorType {
        Checks.nonBlank("name", name);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
        Checks.require(
                maxAllReduceSlots == null || maxAllReduceSlots >= 1,
                "maxAllReduceSlots (%s) of %s must be at least 1",
                maxAllReduceSlots,
                name);
        Checks.require(
                contention == null || contention >= 0, "contention (%s) of %s must be at least 0", contention, name);
        Checks.require(idleWatts == null || idleWatts >= 0, "idleWatts (%s) of %s must be at least 0", idleWatts, name);
        Checks.require(loadWatts == null || loadWatts >= 0, "loadWatts (%s) of %s must be at least 0", loadWatts, name);
    }

    /** An accelerator type of unknown power. */
    public AcceleratorType(
            String name, double memoryGiB, @Nullable Integer maxAllReduceSlots, @Nullable Double contention) {
        this(name, memoryGiB, maxAllReduceSlots, contention, null, null);
    }

    /** An accelerator type without contention. */
    public AcceleratorType(String name, double memoryGiB, @Nullable Integer maxAllReduceSlots) {
        this(name, memoryGiB, maxAllReduceSlots, 0.0);
    }

    /** An accelerator type without contention and without a limit on AllReduce slots. */
    public AcceleratorType(String name, double memoryGiB) {
        this(name, memoryGiB, null);
    }

    /** Returns this type with another contention. */
    public AcceleratorType withContention(@Nullable Double other) {
        return new AcceleratorType(name, memoryGiB, maxAllReduceSlots, other, idleWatts, loadWatts);
    }

    /** Returns the watts of a busy device above those of an idle one, at least 0. */
    public double wattsOfLoad() {
        return Math.max(0, (loadWatts == null ? 0 : loadWatts) - (idleWatts == null ? 0 : idleWatts));
    }

    /** Returns true if a job on {@code slots} devices may use AllReduce. */
    public boolean reducesOn(int slots) {
        return maxAllReduceSlots == null || slots <= maxAllReduceSlots;
    }
}
