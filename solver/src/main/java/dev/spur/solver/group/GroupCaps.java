package dev.spur.solver.group;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.quota.SlotUnits;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Joint limits of the jobs of each group. A cap never forbids pinned jobs. */
public final class GroupCaps {
    /** No limit. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /**
     * Limits of one group.
     *
     * @param index number of the group, from 0
     * @param name name of the group
     * @param slots maximum slots in {@link SlotUnits}; {@link #NO_LIMIT} for none
     * @param jobs maximum running jobs; {@link #NO_LIMIT} for none
     */
    public record Cap(int index, String name, long slots, long jobs) {}

    private final Map<String, Cap> caps = new LinkedHashMap<>();

    public GroupCaps(RoundProblem problem) {
        if (problem.groups().isEmpty()) {
            return;
        }
        SlotUnits units = SlotUnits.of(problem);
        Map<String, Long> slots = new HashMap<>();
        Map<String, Long> jobs = new HashMap<>();
        JobPins pins = JobPins.of(problem);
        for (Job job : problem.jobs()) {
            String group = job.spec().group();
            if (group != null && job.allocation() != null && pins.isPinned(job)) {
                slots.merge(group, (long) units.of(job, job.allocation().configuration()), Long::sum);
                jobs.merge(group, 1L, Long::sum);
            }
        }
        for (JobGroup group : problem.groups()) {
            caps.put(
                    group.name(),
                    new Cap(
                            caps.size(),
                            group.name(),
                            limit(group.maxSlots(), units.perSlot(), slots.getOrDefault(group.name(), 0L)),
                            limit(group.maxJobs(), 1, jobs.getOrDefault(group.name(), 0L))));
        }
    }

    private static long limit(@Nullable Integer max, int unitsEach, long pinned) {
        return max == null ? NO_LIMIT : Math.max((long) max * unitsEach, pinned);
    }

    /** The caps of all groups. */
    public List<Cap> all() {
        return List.copyOf(caps.values());
    }

    /** Returns the cap of {@code job}; null for a job without a group. */
    public @Nullable Cap of(Job job) {
        return job.spec().group() == null ? null : caps.get(job.spec().group());
    }
}
