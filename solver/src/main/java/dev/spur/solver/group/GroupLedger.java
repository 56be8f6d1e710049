package dev.spur.solver.group;

import dev.spur.model.job.Job;
import java.util.HashMap;
import java.util.Map;

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
        return slotsLeft(job) >= slots && jobsLeft(job) >= 1;
    }

    /** Returns the remaining slots of the group of {@code job}; {@link GroupCaps#NO_LIMIT} without a limit. */
    public long slotsLeft(Job job) {
        GroupCaps.Cap cap = caps.of(job);
        return cap == null || cap.slots() == GroupCaps.NO_LIMIT ? GroupCaps.NO_LIMIT : cap.slots() - slots(cap.name());
    }

    /**
     * Returns the remaining number of jobs that the group of {@code job} may run; {@link GroupCaps#NO_LIMIT} without a
     * limit.
     */
    public long jobsLeft(Job job) {
        GroupCaps.Cap cap = caps.of(job);
        return cap == null || cap.jobs() == GroupCaps.NO_LIMIT ? GroupCaps.NO_LIMIT : cap.jobs() - jobs(cap.name());
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
        Use use = job.spec().group() == null ? null : uses.get(job.spec().group());
        if (use != null) {
            use.slots += slots;
            use.jobs += jobs;
        }
    }

    /** Slots booked to jobs of {@code group}. */
    public long slots(String group) {
        Use use = uses.get(group);
        return use == null ? 0 : use.slots;
    }

    /** Jobs of {@code group} to which slots are booked. */
    public long jobs(String group) {
        Use use = uses.get(group);
        return use == null ? 0 : use.jobs;
    }
}
