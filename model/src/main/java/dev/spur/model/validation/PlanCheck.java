package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.Utility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The plan validator: every rule that a plan must satisfy before it is published. The rules use only the problem. The
 * validator shares no code with the solver except the utility formula.
 */
public final class PlanCheck {
    /** Maximum relative difference between a stated utility and the validator's own value. */
    private static final double TOLERANCE = 1e-6;

    private final RoundProblem problem;
    private final RoundPlan plan;
    private final ProblemIndex index;
    private final Map<String, Allocation> allocations;
    private final List<Violation> violations = new ArrayList<>();

    private PlanCheck(RoundProblem problem, RoundPlan plan) {
        this.problem = problem;
        this.plan = plan;
        this.index = new ProblemIndex(problem);
        this.allocations = plan.running().stream()
                .collect(Collectors.toMap(
                        PlannedJob::jobId, PlannedJob::allocation, (first, second) -> first, LinkedHashMap::new));
    }

    /** Returns all violations of {@code plan}; empty if it may be published. */
    public static List<Violation> violations(RoundProblem problem, RoundPlan plan) {
        PlanCheck check = new PlanCheck(problem, plan);
        if (check.everyJobIsDecidedOnce()) {
            check.checkDecisions();
        }
        return List.copyOf(check.violations);
    }

    /** Returns the objective value of the running jobs, computed from their allocations. */
    public static double objectiveValue(RoundProblem problem, List<PlannedJob> runningJobs) {
        return DoubleStream.of(utilities(new ProblemIndex(problem), runningJobs))
                .sum();
    }

    private static double[] utilities(ProblemIndex index, List<PlannedJob> runningJobs) {
        Utility utility = new Utility(index.problem);
        return ParallelRules.stream(runningJobs)
                .mapToDouble(planned -> utilityOf(index, utility, index.job(planned.jobId()), planned.allocation()))
                .toArray();
    }

    private void checkDecisions() {
        new AllocationsCheck(index, allocations, violations).run();
        deadlineStatusesHold();
        utilityIsAsStated();
        checkPreparations();
    }

    private void checkPreparations() {
        if (plan.preparations() != null) {
            violations.addAll(PreparationsCheck.violations(index, allocations, plan.preparations()));
        } else if (!problem.preparations().isEmpty()) {
            add(
                    "everyPreparationIsDecidedOnce",
                    "preparations",
                    "the plan has no decision on the preparations of the problem");
        }
    }

    private boolean everyJobIsDecidedOnce() {
        Map<String, Integer> times = new HashMap<>();
        plan.running().forEach(planned -> times.merge(planned.jobId(), 1, Integer::sum));
        plan.waiting().stream().map(PendingJob::jobId).forEach(id -> times.merge(id, 1, Integer::sum));
        Set<String> known = new HashSet<>();
        for (Job job : problem.jobs()) {
            known.add(job.id());
            int count = times.getOrDefault(job.id(), 0);
            if (count != 1) {
                add("everyJobIsDecidedOnce", job.id(), "job %s has %d decisions instead of one", job.id(), count);
            }
        }
        times.keySet().stream()
                .filter(id -> !known.contains(id))
                .forEach(id -> add("everyJobIsDecidedOnce", id, "job %s is not in the problem", id));
        return violations.isEmpty();
    }

    private void deadlineStatusesHold() {
        for (Job job : problem.jobs()) {
            DeadlineStatus status = plan.deadlineStatuses().getOrDefault(job.id(), DeadlineStatus.NONE);
            boolean retained = switch (status) {
                case NONE -> job.deadline() == null;
                case PENDING -> false;
                case GUARANTEED -> isOnPace(job, allocationOf(job.id()));
                case AT_RISK -> job.deadline() != null;
            };
            if (!retained) {
                add(
                        "deadlineStatusesHold",
                        job.id(),
                        "job %s has deadline status %s, which is invalid or not met by its allocation",
                        job.id(),
                        status);
            }
        }
    }

    /** Returns true if the job finishes by its deadline with the allocation {@code allocation}. */
    private boolean isOnPace(Job job, @Nullable Allocation allocation) {
        if (allocation == null || job.deadline() == null) {
            return false;
        }
        double seconds = job.deadline() - problem.now() - job.secondsToProgress(allocation, problem.now());
        return Goodput.of(job.spec(), allocation.configuration()) * seconds >= job.remainingSamples() * (1 - TOLERANCE);
    }

    private void utilityIsAsStated() {
        double[] utilities = utilities(index, plan.running());
        double sum = 0;
        for (int i = 0; i < utilities.length; i++) {
            PlannedJob planned = plan.running().get(i);
            double own = utilities[i];
            sum += own;
            if (differ(own, planned.utility())) {
                add(
                        "utilityIsAsStated",
                        planned.jobId(),
                        "job %s: the computed utility is %s, the stated utility is %s",
                        planned.jobId(),
                        own,
                        planned.utility());
            }
        }
        classesAreAsStated(utilities);
        if (differ(sum, plan.quality().objectiveValue())) {
            add(
                    "utilityIsAsStated",
                    "quality",
                    "the computed objective value is %s, the stated objective value is %s",
                    sum,
                    plan.quality().objectiveValue());
        }
        if (!(plan.quality().bestBound() >= sum - TOLERANCE * Math.max(1, Math.abs(sum)))) {
            add(
                    "utilityIsAsStated",
                    "quality",
                    "the best bound %s is below the objective value %s",
                    plan.quality().bestBound(),
                    sum);
        }
    }

    /** A plan that states its classes states each one once, from the highest, with the utilities of its jobs. */
    private void classesAreAsStated(double[] utilities) {
        List<ClassQuality> classes = plan.quality().classes();
        if (classes.isEmpty()) {
            return;
        }
        Map<Integer, Double> sums = new TreeMap<>(Comparator.reverseOrder());
        problem.jobs().forEach(job -> sums.put(job.spec().priority(), 0.0));
        for (int i = 0; i < utilities.length; i++) {
            sums.merge(index.job(plan.running().get(i).jobId()).spec().priority(), utilities[i], Double::sum);
        }
        List<Integer> stated = classes.stream().map(ClassQuality::priority).toList();
        if (!stated.equals(List.copyOf(sums.keySet()))) {
            add("classesAreAsStated", "quality", "the stated classes are %s, the jobs have %s", stated, sums.keySet());
            return;
        }
        for (ClassQuality own : classes) {
            double sum = sums.getOrDefault(own.priority(), 0.0);
            if (differ(sum, own.objectiveValue())
                    || !(own.bestBound() >= sum - TOLERANCE * Math.max(1, Math.abs(sum)))) {
                add(
                        "classesAreAsStated",
                        "quality",
                        "class %s has the objective value %s; the stated value is %s, the stated bound %s",
                        own.priority(),
                        sum,
                        own.objectiveValue(),
                        own.bestBound());
            }
        }
    }

    private static double utilityOf(ProblemIndex index, Utility utility, Job job, Allocation allocation) {
        double goodput = Goodput.of(job.spec(), allocation.configuration());
        ChangeMechanism change = job.changeTo(allocation);
        return utility.of(job).of(allocation.configuration(), goodput, change, index.terms(job, allocation, change));
    }

    private static boolean differ(double a, double b) {
        return !(Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a)));
    }

    private @Nullable Allocation allocationOf(String jobId) {
        return allocations.get(jobId);
    }

    @SuppressWarnings("AnnotateFormatMethod") // private, a handful of callers
    private void add(String rule, String subject, String message, Object... values) {
        violations.add(new Violation(rule, subject, message.formatted(values)));
    }
}
