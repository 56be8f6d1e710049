package dev.spur.model.validation;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.PlannedJob;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Validates the caps of groups: the total slots of a group's jobs and the number of its running jobs. Protected jobs
 * count, and their use is always allowed.
 */
final class GroupCheck {
    private final ProblemIndex index;
    private final List<PlannedJob> running;
    private final List<Violation> violations;

    GroupCheck(ProblemIndex index, List<PlannedJob> running, List<Violation> violations) {
        this.index = index;
        this.running = running;
        this.violations = violations;
    }

    void run() {
        index.problem.groups().forEach(this::groupStaysWithinItsCaps);
    }

    private void groupStaysWithinItsCaps(JobGroup group) {
        long slots = 0;
        long jobs = 0;
        long protectedSlots = 0;
        long protectedJobs = 0;
        for (PlannedJob planned : running) {
            Job job = index.job(planned.jobId());
            if (Objects.equals(job.spec().group(), group.name())) {
                long held = planned.allocation().configuration().slots();
                slots += held;
                jobs++;
                if (index.mustStay(job)) {
                    protectedSlots += held;
                    protectedJobs++;
                }
            }
        }
        check(group, "hold", slots, group.maxSlots(), protectedSlots, "slots");
        check(group, "run as", jobs, group.maxJobs(), protectedJobs, "jobs");
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
