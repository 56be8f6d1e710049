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
     * Returns the kind of change from {@code before} to {@code after}. Null means that the job waits; at most one is
     * null.
     */
    public static ChangeKind between(@Nullable Allocation before, @Nullable Allocation after) {
        if (before == null || after == null) {
            return before == null ? START : PREEMPT;
        }
        if (after.sameRunAs(before)) {
            return KEEP;
        }
        int difference = Integer.compare(
                after.configuration().slots(), before.configuration().slots());
        if (difference != 0) {
            return difference > 0 ? GROW : SHRINK;
        }
        return Set.copyOf(before.placement()).equals(Set.copyOf(after.placement())) ? RECONFIGURE : MOVE;
    }
}
