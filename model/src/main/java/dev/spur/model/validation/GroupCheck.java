package dev.spur.model.validation;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.PlannedJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates the caps of groups: the total slots of a group's jobs and the number of its running jobs. Protected jobs
 * count, and their use is always allowed.
 */
final class GroupCheck {
    private final ProblemIndex index;
    private final List<PlannedJob> runningJobs;
    private final List<Violation> violations;

    GroupCheck(ProblemIndex index, List<PlannedJob> runningJobs, List<Violation> violations) {
        this.index = index;
        this.runningJobs = runningJobs;
        this.violations = violations;
    }

    /** Use of the jobs of a group, and the part of it by protected jobs. */
    private static final class Use {
        private long slots;
        private long jobs;
        private long protectedSlots;
        private long protectedJobs;
    }

    void run() {
        Map<String, Use> uses = new HashMap<>();
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            if (job.spec().group() != null) {
                long slots = planned.allocation().configuration().slots();
                Use use = uses.computeIfAbsent(job.spec().group(), group -> new Use());
                use.slots += slots;
                use.jobs++;
                if (index.mustStay(job)) {
                    use.protectedSlots += slots;
                    use.protectedJobs++;
                }
            }
        }
        for (JobGroup group : index.problem.groups()) {
            Use use = uses.getOrDefault(group.name(), new Use());
            check(group, "hold", use.slots, group.maxSlots(), use.protectedSlots, "slots");
            check(group, "run as", use.jobs, group.maxJobs(), use.protectedJobs, "jobs");
        }
    }

    private void check(JobGroup group, String verb, long used, @Nullable Integer cap, long protectedUse, String what) {
        if (cap != null && used > Math.max(cap, protectedUse)) {
            violations.add(new Violation(
                    "groupsStayWithinTheirCaps",
                    group.name(),
                    "the jobs of group %s %s %d %s, above the cap of %d"
                            .formatted(group.name(), verb, used, what, cap)));
        }
    }
}
