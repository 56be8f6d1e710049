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
    private final Map<String, Allocation> allocations;
    private final List<Violation> violations;

    /** @param allocations allocation by job id; jobs that are missing wait */
    AllocationsCheck(ProblemIndex index, Map<String, Allocation> allocations, List<Violation> violations) {
        this.index = index;
        this.problem = index.problem;
        this.allocations = allocations;
        this.violations = violations;
    }

    /**
     * Returns all violations of the allocations {@code allocations}; empty if they are valid.
     *
     * @param allocations allocation of running jobs, by job id; jobs that are missing wait
     */
    public static List<Violation> violations(RoundProblem problem, Map<String, Allocation> allocations) {
        List<Violation> violations = new ArrayList<>();
        ProblemIndex index = new ProblemIndex(problem);
        for (String id : allocations.keySet()) {
            if (!index.hasJob(id)) {
                violations.add(
                        new Violation("everyJobIsDecidedOnce", id, "job %s is not in the problem".formatted(id)));
            }
        }
        if (violations.isEmpty()) {
            new AllocationsCheck(index, allocations, violations).run();
        }
        return List.copyOf(violations);
    }

    void run() {
        List<PlannedJob> runningJobs = allocations.entrySet().stream()
                .map(entry -> new PlannedJob(entry.getKey(), entry.getValue(), ChangeKind.KEEP, 0, 0, ""))
                .toList();
        violations.addAll(ParallelRules.violations(
                runningJobs,
                (planned, own) ->
                        new AllocationCheck(index, index.job(planned.jobId()), planned.allocation(), own).run()));
        new CapacityCheck(index, runningJobs, violations).run();
        new QuotaCheck(problem, index, runningJobs, violations).run();
        new GroupCheck(index, runningJobs, violations).run();
        protectedJobsKeepTheirAllocation();
        restartsStayWithinTheLimit();
    }

    private void protectedJobsKeepTheirAllocation() {
        for (Job job : problem.jobs()) {
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null && index.mustStay(job)) {
                Allocation nextAllocation = allocations.get(job.id());
                if (nextAllocation == null || !nextAllocation.sameRunAs(heldAllocation)) {
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
        Allocation heldAllocation = job.allocation();
        Allocation nextAllocation = allocations.get(job.id());
        return heldAllocation != null
                && index.mayStay(job)
                && (nextAllocation == null || !job.changeTo(nextAllocation).keepsProcesses());
    }

    @SuppressWarnings("AnnotateFormatMethod") // private, two callers
    private void add(String rule, String subject, String message, Object... values) {
        violations.add(new Violation(rule, subject, message.formatted(values)));
    }
}
