package dev.spur.solver.group;

import dev.spur.solver.group.GroupCaps.Cap;
import org.jspecify.annotations.Nullable;

/** Slots and running jobs of each group in a plan. Queries are thread-safe. */
public final class GroupUsage {
    private final long[] slots;
    private final long[] jobs;

    /** Creates the use without jobs. */
    public GroupUsage(GroupCaps caps) {
        slots = new long[caps.all().size()];
        jobs = new long[slots.length];
    }

    /** Returns whether one more job with {@code slots} may run under {@code cap}; true without a cap. */
    public boolean allows(@Nullable Cap cap, long slots) {
        return cap == null || (slotsLeft(cap) >= slots && jobsLeft(cap) >= 1);
    }

    /** Returns the remaining slots of the group of {@code cap}; {@link GroupCaps#NO_LIMIT} without a limit. */
    public long slotsLeft(Cap cap) {
        return cap.slots() == GroupCaps.NO_LIMIT ? GroupCaps.NO_LIMIT : cap.slots() - slots[cap.index()];
    }

    /**
     * Returns the remaining number of jobs that the group of {@code cap} may run; {@link GroupCaps#NO_LIMIT} without a
     * limit.
     */
    public long jobsLeft(Cap cap) {
        return cap.jobs() == GroupCaps.NO_LIMIT ? GroupCaps.NO_LIMIT : cap.jobs() - jobs[cap.index()];
    }

    /** Adds {@code jobs} jobs with {@code slots} together under {@code cap}; negative numbers release them. */
    public void add(@Nullable Cap cap, long slots, int jobs) {
        if (cap != null) {
            this.slots[cap.index()] += slots;
            this.jobs[cap.index()] += jobs;
        }
    }
}
