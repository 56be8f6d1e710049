package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The difference between a job's allocation and its previous one. */
public enum ChangeKind {
    /** Same configuration on the same devices; the aggregation and the host grant may differ. */
    KEEP,
    /** The job was waiting and runs now. */
    START,
    /** More slots. */
    GROW,
    /** Fewer slots. */
    SHRINK,
    /** Same number of slots, on other devices. */
    MOVE,
    /** Same number of slots on the same devices, with another batch size, strategy or number of aggregation slots. */
    RECONFIGURE,
    /** The job was running and waits now. */
    PREEMPT;

    /**
     * Returns the kind of change from {@code allocationBefore} to {@code allocationAfter}. Null means that the job
     * waits; at most one is null.
     */
    public static ChangeKind between(@Nullable Allocation allocationBefore, @Nullable Allocation allocationAfter) {
        if (allocationBefore == null || allocationAfter == null) {
            return allocationBefore == null ? START : PREEMPT;
        }
        if (allocationAfter.sameRunAs(allocationBefore)) {
            return KEEP;
        }
        int difference = Integer.compare(
                allocationAfter.configuration().slots(),
                allocationBefore.configuration().slots());
        if (difference != 0) {
            return difference > 0 ? GROW : SHRINK;
        }
        return Set.copyOf(allocationBefore.placement()).equals(Set.copyOf(allocationAfter.placement()))
                ? RECONFIGURE
                : MOVE;
    }
}
