package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a job's allocation differs from the one before. */
public enum ChangeKind {
    /** The same configuration on the same devices; aggregation and what is granted of the hosts may have changed. */
    KEEP,
    /** It waited and runs now. */
    START,
    /** More slots. */
    GROW,
    /** Fewer slots. */
    SHRINK,
    /** As many slots, on other devices. */
    MOVE,
    /** As many slots on the same devices, with another batch size, strategy or number of aggregation slots. */
    RECONFIGURE,
    /** It ran and waits now. */
    PREEMPT;

    /** The kind of change from {@code before} to {@code after}, of which at most one is null: the job waits there. */
    public static ChangeKind between(@Nullable Allocation before, @Nullable Allocation after) {
        if (before == null || after == null) {
            return before == null ? START : PREEMPT;
        }
        if (after.sameRunAs(before)) {
            return KEEP;
        }
        int more = Integer.compare(
                after.configuration().slots(), before.configuration().slots());
        if (more != 0) {
            return more > 0 ? GROW : SHRINK;
        }
        return Set.copyOf(before.placement()).equals(Set.copyOf(after.placement())) ? RECONFIGURE : MOVE;
    }
}
