package dev.spur.solver.counterfactual;

import dev.spur.model.job.Job;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.whatif.Change;
import dev.spur.model.whatif.Changes;
import dev.spur.model.whatif.ReleaseHold;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Search for the smallest change that would start a job, by solving again. Kinds of change are tried in this order,
 * each from small to large: priority if higher classes hold the slots, slots on an added node, aggregation slots,
 * quota, cap of its group, weight, unavailable nodes. A held job is released first; further changes are tried on top of
 * that if necessary.
 */
public final class CounterfactualSearch {
    /** Relative tolerance for equal objective values. */
    private static final double ROUNDING = 1e-7;
    /** Absolute tolerance for equal objective values, for very small values. */
    private static final double SMALLEST = 1e-9;

    private final RoundProblem problem;
    private final WithheldJobs withheldJobs;
    private final String jobId;
    private final Policy policy;
    private final SolveBudget budget;
    private final long end;
    private int tried;
    private boolean complete = true;
    /** Plan of the first solve, without changes; null before it. */
    private @Nullable RoundPlan unchanged;

    private CounterfactualSearch(
            RoundProblem problem, List<Job> heldJobs, String jobId, Policy policy, SolveBudget budget, double seconds) {
        this.problem = problem;
        this.withheldJobs = new WithheldJobs(heldJobs, List.of());
        this.jobId = jobId;
        this.policy = policy;
        this.budget = budget;
        this.end = System.nanoTime() + (long) (seconds * 1e9);
    }

    /**
     * Searches for at most {@code seconds}, divided among the kinds of change.
     *
     * @param problem the live state
     * @param heldJobs jobs on hold that are not part of the problem
     * @param jobId a job of the problem or on hold
     * @param budget budget of one solve
     * @throws IllegalArgumentException if the job does not exist
     */
    public static CounterfactualResult search(
            RoundProblem problem, List<Job> heldJobs, String jobId, Policy policy, SolveBudget budget, double seconds) {
        return new CounterfactualSearch(problem, heldJobs, jobId, policy, budget, seconds).search();
    }

    private CounterfactualResult search() {
        List<Change> base = isHeld() ? List.of(new ReleaseHold(jobId)) : List.of();
        RoundProblem startProblem = Changes.applyAll(problem, withheldJobs, base);
        Job job = startProblem.jobs().stream()
                .filter(other -> other.id().equals(jobId))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job %s does not exist".formatted(jobId)));
        Optional<RoundPlan> asItIs = runsUnder(startProblem, end);
        if (asItIs.isPresent()) {
            return new CounterfactualResult.Found(base, asItIs.get());
        }
        List<List<List<Change>>> kinds = new CandidateChanges(startProblem, job).byKind(isOutranked());
        for (int kind = 0; kind < kinds.size(); kind++) {
            long now = System.nanoTime();
            long share = now + (end - now) / (kinds.size() - kind);
            CounterfactualResult found = smallestThatRuns(base, startProblem, kinds.get(kind), share);
            if (found != null) {
                return found;
            }
        }
        return new CounterfactualResult.NotFound(tried, complete);
    }

    /** Returns whether jobs of higher classes hold what the job needs in the plan of the unchanged problem. */
    private boolean isOutranked() {
        return unchanged != null
                && unchanged.waiting().stream()
                        .anyMatch(pendingJob -> pendingJob.jobId().equals(jobId)
                                && pendingJob.reason() == PendingReason.LOWER_PRIORITY);
    }

    private boolean isHeld() {
        return withheldJobs.jobs().stream().anyMatch(job -> job.id().equals(jobId));
    }

    /**
     * Returns the smallest change of one kind that starts the job; null if there is none. A series whose largest change
     * does not start the job is skipped, as more of the same never helps less.
     */
    private @Nullable CounterfactualResult smallestThatRuns(
            List<Change> base, RoundProblem startProblem, List<List<Change>> series, long until) {
        List<List<Change>> promising = new ArrayList<>();
        List<RoundPlan> largest = new ArrayList<>();
        for (List<Change> ascending : series) {
            runsWith(ascending.get(ascending.size() - 1), startProblem, until).ifPresent(plan -> {
                promising.add(ascending);
                largest.add(plan);
            });
        }
        for (int size = 0; !promising.isEmpty(); size++) {
            for (int i = 0; i < promising.size(); i++) {
                List<Change> ascending = promising.get(i);
                boolean isLargest = size == ascending.size() - 1;
                Optional<RoundPlan> plan =
                        isLargest ? Optional.of(largest.get(i)) : runsWith(ascending.get(size), startProblem, until);
                if (plan.isPresent()) {
                    List<Change> changes = new ArrayList<>(base);
                    changes.add(ascending.get(size));
                    return new CounterfactualResult.Found(changes, plan.get());
                }
                if (System.nanoTime() >= until) {
                    return null;
                }
            }
        }
        return null;
    }

    private Optional<RoundPlan> runsWith(Change change, RoundProblem startProblem, long until) {
        if (System.nanoTime() >= until) {
            complete = false;
            return Optional.empty();
        }
        tried++;
        return runsUnder(change.applyTo(startProblem, withheldJobs), until);
    }

    /** Returns a proved optimum for {@code changedProblem}, if every optimum runs the job. */
    private Optional<RoundPlan> runsUnder(RoundProblem changedProblem, long until) {
        RoundPlan plan = solve(changedProblem, until);
        boolean runs =
                plan.running().stream().anyMatch(planned -> planned.jobId().equals(jobId));
        if (!isProved(plan.quality())) {
            complete = false;
            return Optional.empty();
        }
        return runs && isBetterWith(plan, changedProblem, until) ? Optional.of(plan) : Optional.empty();
    }

    /**
     * Returns whether every plan without the job has a lower objective value in its class; it does not change higher
     * ones. Among equal plans a solver returns any, so a single plan that runs the job proves nothing.
     */
    private boolean isBetterWith(RoundPlan plan, RoundProblem changedProblem, long until) {
        RoundProblem without = changedProblem.withJobs(changedProblem.jobs().stream()
                .filter(job -> !job.id().equals(jobId))
                .toList());
        SolutionQuality best = solve(without, until).quality();
        if (!isProved(best)) {
            complete = false;
            return false;
        }
        int priority = changedProblem.jobs().stream()
                .filter(job -> job.id().equals(jobId))
                .mapToInt(job -> job.spec().priority())
                .findFirst()
                .orElseThrow();
        double bound = ofClass(best, priority, ClassQuality::bestBound);
        return ofClass(plan.quality(), priority, ClassQuality::objectiveValue) > bound + tolerance(bound);
    }

    /** Returns a value of a class; 0 for a class without jobs. */
    private static double ofClass(SolutionQuality quality, int priority, ToDoubleFunction<ClassQuality> value) {
        return quality.classes().stream()
                .filter(own -> own.priority() == priority)
                .mapToDouble(value)
                .sum();
    }

    private RoundPlan solve(RoundProblem changedProblem, long until) {
        double left = Math.max(0.05, (double) (until - System.nanoTime()) / TimeUnit.SECONDS.toNanos(1));
        SolveBudget limited =
                new SolveBudget(budget.work(), Math.min(budget.wallSeconds(), left), budget.workers(), budget.seed());
        RoundSettings exact = changedProblem.settings().withEffort(0, limited);
        RoundPlan plan = policy.plan(changedProblem.withSettings(exact));
        unchanged = unchanged == null ? plan : unchanged;
        return plan;
    }

    /** Returns whether {@code quality} proves that no plan is better, up to rounding. */
    public static boolean isProved(SolutionQuality quality) {
        return quality.status() == SolveStatus.OPTIMAL
                || quality.bestBound() - quality.objectiveValue() <= tolerance(quality.bestBound());
    }

    /** Returns the absolute tolerance for equal objective values. */
    static double tolerance(double worth) {
        return Math.max(SMALLEST, ROUNDING * Math.abs(worth));
    }
}
