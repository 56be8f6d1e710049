package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Validates the allocations of all training jobs: every rule of plans except those on deadline statuses and utility.
 */
public final class AllocationsCheck {
    private final ProblemIndex index;
    private final RoundProblem problem;
    private final Map<String, Allocation> given;
    private final List<Violation> violations;

    /** @param given allocation by job id; jobs that are missing wait */
    AllocationsCheck(ProblemIndex index, Map<String, Allocation> given, List<Violation> violations) {
        this.index = index;
        this.problem = index.problem;
        this.given = given;
        this.violations = violations;
    }

    /**
     * Returns all violations of the allocations {@code given}; empty if they are valid.
     *
     * @param given allocation of running jobs, by job id; jobs that are missing wait
     */
    public static List<Violation> violations(RoundProblem problem, Map<String, Allocation> given) {
        List<Violation> violations = new ArrayList<>();
        ProblemIndex index = new ProblemIndex(problem);
        for (String id : given.keySet()) {
            if (!index.hasJob(id)) {
                violations.add(
                        new Violation("everyJobIsDecidedOnce", id, "job %s is not in the problem".formatted(id)));
            }
        }
        if (violations.isEmpty()) {
            new AllocationsCheck(index, given, violations).run();
        }
        return List.copyOf(violations);
    }

    void run() {
        List<PlannedJob> running = given.entrySet().stream()
                .map(entry -> new PlannedJob(entry.getKey(), entry.getValue(), ChangeKind.KEEP, 0, 0, ""))
                .toList();
        violations.addAll(ParallelRules.violations(
                running,
                (planned, own) ->
                        new AllocationCheck(index, index.job(planned.jobId()), planned.allocation(), own).run()));
        new CapacityCheck(index, running, violations).run();
        new QuotaCheck(problem, index, running, violations).run();
        new GroupCheck(index, running, violations).run();
        protectedJobsKeepTheirAllocation();
        restartsStayWithinTheLimit();
    }

    private void protectedJobsKeepTheirAllocation() {
        for (Job job : problem.jobs()) {
            Allocation held = job.allocation();
            if (held != null && index.mustStay(job)) {
                Allocation next = given.get(job.id());
                if (next == null || !next.sameRunAs(held)) {
                    add(
                            "protectedJobsKeepTheirAllocation",
                            job.id(),
                            "job %s is protected from preemption, but its allocation changes",
                            job.id());
                }
            }
        }
    }

    /**
     * Jobs that could keep their allocation, and do not, are at most as many as the operator allows. The rule does not
     * apply if quotas, group caps or aggregation have shrunk so that not all of them can stay.
     */
    private void restartsStayWithinTheLimit() {
        Integer limit = problem.settings().maxRestarts();
        if (limit == null) {
            return;
        }
        long restarts =
                ParallelRules.stream(problem.jobs()).filter(this::isRestarted).count();
        if (restarts > limit && KeepAllFeasibility.isPossible(index)) {
            add(
                    "restartsStayWithinTheLimit",
                    "settings",
                    "%d jobs are stopped, migrated or resized, but maxRestarts is %d",
                    restarts,
                    limit);
        }
    }

    private boolean isRestarted(Job job) {
        Allocation held = job.allocation();
        Allocation next = given.get(job.id());
        return held != null
                && index.mayStay(job)
                && (next == null || !job.changeTo(next).keepsProcesses());
    }

    @SuppressWarnings("AnnotateFormatMethod") // private, two callers
    private void add(String rule, String subject, String message, Object... values) {
        violations.add(new Violation(rule, subject, message.formatted(values)));
    }
}
