package dev.spur.model.validation;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.PlannedJob;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups with a common cap. The jobs of a group hold at most its slots together, and at most so many of them run as it
 * allows. What jobs hold that may not be touched is always allowed, and counts.
 */
final class GroupCheck {
    private final ProblemIndex facts;
    private final List<PlannedJob> running;
    private final List<Violation> violations;

    GroupCheck(ProblemIndex facts, List<PlannedJob> running, List<Violation> violations) {
        this.facts = facts;
        this.running = running;
        this.violations = violations;
    }

    void run() {
        facts.problem.groups().forEach(this::groupStaysWithinItsCaps);
    }

    private void groupStaysWithinItsCaps(JobGroup group) {
        long slots = 0;
        long jobs = 0;
        long untouchableSlots = 0;
        long untouchableJobs = 0;
        for (PlannedJob planned : running) {
            Job job = facts.job(planned.jobId());
            if (Objects.equals(job.spec().group(), group.name())) {
                long held = planned.allocation().configuration().slots();
                slots += held;
                jobs++;
                if (facts.mustStay(job)) {
                    untouchableSlots += held;
                    untouchableJobs++;
                }
            }
        }
        check(group, "hold", slots, group.maxSlots(), untouchableSlots, "slots");
        check(group, "run as", jobs, group.maxJobs(), untouchableJobs, "jobs");
    }

    private void check(JobGroup group, String verb, long used, @Nullable Integer most, long untouchable, String what) {
        if (most != null && used > Math.max(most, untouchable)) {
            violations.add(new Violation(
                    "groupsStayWithinTheirCaps",
                    group.name(),
                    "the jobs of group %s %s %d of at most %d %s".formatted(group.name(), verb, used, most, what)));
        }
    }
}
