package dev.spur.solver.group;

import dev.spur.model.job.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Ledger of the slots and jobs of groups while a plan grows job by job; it checks whether more would exceed a cap.
 * Queries are thread-safe.
 */
public final class GroupLedger {
    private static final class Use {
        private long slots;
        private long jobs;
    }

    private final GroupCaps caps;
    private final Map<String, Use> uses = new HashMap<>();

    public GroupLedger(GroupCaps caps) {
        this.caps = caps;
        caps.all().forEach(cap -> uses.put(cap.name(), new Use()));
    }

    /** Returns whether {@code job}, which holds no slots, may hold {@code slots}. */
    public boolean allows(Job job, int slots) {
        GroupCaps.Cap cap = caps.of(job);
        return cap == null || (slotsLeft(cap) >= slots && jobsLeft(cap) >= 1);
    }

    /** Returns the remaining slots of the group of {@code cap}; {@link GroupCaps#NO_LIMIT} without a limit. */
    public long slotsLeft(GroupCaps.Cap cap) {
        return cap.slots() == GroupCaps.NO_LIMIT ? GroupCaps.NO_LIMIT : cap.slots() - use(cap).slots;
    }

    /**
     * Returns the remaining number of jobs that the group of {@code cap} may run; {@link GroupCaps#NO_LIMIT} without a
     * limit.
     */
    public long jobsLeft(GroupCaps.Cap cap) {
        return cap.jobs() == GroupCaps.NO_LIMIT ? GroupCaps.NO_LIMIT : cap.jobs() - use(cap).jobs;
    }

    /** Books {@code slots} to {@code job}, which held none. */
    public void add(Job job, int slots) {
        shift(job, slots, 1);
    }

    /** Releases {@code slots}, which is all that {@code job} held. */
    public void remove(Job job, int slots) {
        shift(job, -slots, -1);
    }

    private void shift(Job job, int slots, int jobs) {
        GroupCaps.Cap cap = caps.of(job);
        if (cap != null) {
            Use use = use(cap);
            use.slots += slots;
            use.jobs += jobs;
        }
    }

    private Use use(GroupCaps.Cap cap) {
        return Objects.requireNonNull(uses.get(cap.name()), "the group is not one of the round");
    }
}
