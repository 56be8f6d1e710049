package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The judge of where jobs run: everything that a plan must satisfy but what it states of deadlines and worth. */
public final class AllocationsCheck {
    private final ProblemIndex facts;
    private final RoundProblem problem;
    private final Map<String, Allocation> given;
    private final List<Violation> violations;

    /** @param given by job id; jobs that are left out wait */
    AllocationsCheck(ProblemIndex facts, Map<String, Allocation> given, List<Violation> violations) {
        this.facts = facts;
        this.problem = facts.problem;
        this.given = given;
        this.violations = violations;
    }

    /**
     * Everything that is wrong with where {@code given} puts jobs; empty if nothing is.
     *
     * @param given what runs, by job id; jobs that are left out wait
     */
    public static List<Violation> violations(RoundProblem problem, Map<String, Allocation> given) {
        List<Violation> violations = new ArrayList<>();
        ProblemIndex facts = new ProblemIndex(problem);
        for (String id : given.keySet()) {
            if (!facts.knowsJob(id)) {
                violations.add(
                        new Violation("everyJobIsDecidedOnce", id, "job %s is not in the problem".formatted(id)));
            }
        }
        if (violations.isEmpty()) {
            new AllocationsCheck(facts, given, violations).run();
        }
        return List.copyOf(violations);
    }

    void run() {
        given.forEach((id, allocation) -> new AllocationCheck(facts, facts.job(id), allocation, violations).run());
        List<PlannedJob> running = given.entrySet().stream()
                .map(entry -> new PlannedJob(entry.getKey(), entry.getValue(), ChangeKind.KEEP, 0, 0, ""))
                .toList();
        new CapacityCheck(facts, running, violations).run();
        new QuotaCheck(problem, facts, running, violations).run();
        new GroupCheck(facts, running, violations).run();
        whoMayNotBeTouchedKeepsWhatItHolds();
        restartsStayWithinTheLimit();
    }

    private void whoMayNotBeTouchedKeepsWhatItHolds() {
        for (Job job : problem.jobs()) {
            Allocation held = job.allocation();
            if (held != null && facts.mustStay(job)) {
                Allocation next = given.get(job.id());
                if (next == null || !next.sameRunAs(held)) {
                    add(
                            "whoMayNotBeTouchedKeepsWhatItHolds",
                            job.id(),
                            "job %s may not be touched, but changes",
                            job.id());
                }
            }
        }
    }

    /**
     * Jobs that could stay where they are, and do not, are at most as many as the operator allows, unless quotas, caps
     * of groups or aggregation have shrunk so that not all of them can stay.
     */
    private void restartsStayWithinTheLimit() {
        Integer limit = problem.settings().maxRestarts();
        if (limit == null) {
            return;
        }
        long restarts = problem.jobs().stream().filter(this::isDisturbed).count();
        if (restarts > limit && KeepAllFeasibility.isPossible(facts)) {
            add("restartsStayWithinTheLimit", "settings", "%d jobs are disturbed, %d are allowed", restarts, limit);
        }
    }

    private boolean isDisturbed(Job job) {
        Allocation held = job.allocation();
        Allocation next = given.get(job.id());
        return held != null && facts.mayStay(job) && (next == null || !next.sameRunAs(held));
    }

    @SuppressWarnings("AnnotateFormatMethod") // private, two callers
    private void add(String rule, String subject, String message, Object... values) {
        violations.add(new Violation(rule, subject, message.formatted(values)));
    }
}
