package dev.spur.model.validation;

import dev.spur.model.job.Elasticity;
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
        private long parts;
        private long jobs;
        private long protectedParts;
        private long protectedJobs;
    }

    void run() {
        Map<String, Use> uses = new HashMap<>();
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            if (job.spec().group() != null) {
                long parts = job.spec().partsIn(planned.allocation().configuration());
                Use use = uses.computeIfAbsent(job.spec().group(), group -> new Use());
                use.parts += parts;
                use.jobs++;
                if (index.mustStay(job)) {
                    use.protectedParts += parts;
                    use.protectedJobs++;
                }
            }
        }
        for (JobGroup group : index.problem.groups()) {
            Use use = uses.getOrDefault(group.name(), new Use());
            check(group, "hold", use.parts, group.maxSlots(), use.protectedParts, Elasticity.PARTS, "slots");
            check(group, "run as", use.jobs, group.maxJobs(), use.protectedJobs, 1, "jobs");
        }
    }

    /** @param perUnit amount of use that counts as one unit of the cap */
    private void check(
            JobGroup group,
            String verb,
            long used,
            @Nullable Integer cap,
            long protectedUse,
            int perUnit,
            String what) {
        if (cap != null && used > Math.max((long) perUnit * cap, protectedUse)) {
            violations.add(new Violation(
                    "groupsStayWithinTheirCaps",
                    group.name(),
                    "the jobs of group %s %s %s %s, above the cap of %d"
                            .formatted(group.name(), verb, (double) used / perUnit, what, cap)));
        }
    }
}
