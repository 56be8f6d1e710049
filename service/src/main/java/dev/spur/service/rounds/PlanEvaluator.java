package dev.spur.service.rounds;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plans with given allocations. Data preparations are planned in addition, as in every round. */
final class PlanEvaluator {
    private static final String AWAITS_APPROVAL = "It would start in a plan that an operator must approve.";

    private PlanEvaluator() {}

    private record FixedAllocationPolicy(Map<String, Allocation> given) implements Policy {
        @Override
        public String name() {
            return "fixed";
        }

        @Override
        public Decision decide(RoundProblem problem) {
            return Decision.of(problem, given, problem.memory());
        }
    }

    /** Current allocation of each job, by id. */
    static Map<String, Allocation> allocations(RoundProblem problem) {
        Map<String, Allocation> held = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.allocation() != null) {
                held.put(job.id(), job.allocation());
            }
        }
        return held;
    }

    /** The problem without preemption: running jobs cannot change, so keeping all allocations violates no rule. */
    static RoundProblem withoutPreemption(RoundProblem problem) {
        return problem.withJobs(problem.jobs().stream()
                .map(job -> job.allocation() == null
                        ? job
                        : job.withSpec(job.spec().edit().preemptible(false).build()))
                .toList());
    }

    /**
     * The plan that keeps all allocations that can continue. Jobs that {@code desired} would start wait for approval;
     * the other jobs wait for the reasons of that plan.
     */
    static RoundPlan unchangedPlan(RoundProblem problem, RoundPlan desired) {
        RoundPlan bare = plan(withoutPreemption(problem), allocations(problem));
        Map<String, PendingJob> reasons =
                desired.waiting().stream().collect(Collectors.toMap(PendingJob::jobId, Function.identity()));
        List<PendingJob> waiting = new ArrayList<>();
        for (PendingJob pending : bare.waiting()) {
            PendingJob reported = reasons.getOrDefault(
                    pending.jobId(),
                    new PendingJob(
                            pending.jobId(), PendingReason.AWAITING_APPROVAL, null, null, null, 1, AWAITS_APPROVAL));
            waiting.add(reported.at(waiting.size() + 1));
        }
        return complete(problem, bare, waiting, desired.deadlineStatuses(), desired);
    }

    /**
     * The plan with the allocations {@code given}, and with the bound and statistics of {@code present}, which was made
     * for the same problem.
     */
    static RoundPlan approvedPlan(
            RoundProblem problem,
            Map<String, Allocation> given,
            Map<String, DeadlineStatus> deadlineStatuses,
            RoundPlan present) {
        RoundPlan bare = plan(problem, given);
        return complete(problem, bare, bare.waiting(), deadlineStatuses, present);
    }

    private static RoundPlan plan(RoundProblem problem, Map<String, Allocation> given) {
        return Policies.preparing(new FixedAllocationPolicy(given)).plan(problem);
    }

    private static RoundPlan complete(
            RoundProblem problem,
            RoundPlan bare,
            List<PendingJob> waiting,
            Map<String, DeadlineStatus> deadlineStatuses,
            RoundPlan present) {
        SolutionQuality quality = present.quality();
        return new RoundPlan(
                bare.running(),
                waiting,
                deadlineStatuses(problem, bare, deadlineStatuses),
                SolutionQuality.of(
                                quality.status(),
                                bare.quality().objectiveValue(),
                                quality.bestBound(),
                                quality.fallbackObjectiveValue())
                        .withClasses(classes(bare.quality(), quality))
                        .withSearch(quality.search()),
                present.stats(),
                present.memory(),
                bare.preparations());
    }

    /** Values of the classes in the evaluated plan, with the bounds of the present one. */
    private static List<ClassQuality> classes(SolutionQuality values, SolutionQuality bounds) {
        Map<Integer, Double> known =
                bounds.classes().stream().collect(Collectors.toMap(ClassQuality::priority, ClassQuality::bestBound));
        return values.classes().stream()
                .map(own -> ClassQuality.of(
                        own.priority(), own.objectiveValue(), known.getOrDefault(own.priority(), own.objectiveValue())))
                .toList();
    }

    /** Deadline statuses that remain true while the job keeps its allocation. */
    private static Map<String, DeadlineStatus> deadlineStatuses(
            RoundProblem problem, RoundPlan plan, Map<String, DeadlineStatus> desired) {
        Map<String, Allocation> given =
                plan.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.deadline() != null) {
                boolean isDesired = job.deadlineStatus() == DeadlineStatus.GUARANTEED
                        || desired.get(job.id()) == DeadlineStatus.GUARANTEED;
                boolean isMet = isDesired && isOnPace(job, job.deadline(), given.get(job.id()), problem.now());
                deadlineStatuses.put(job.id(), isMet ? DeadlineStatus.GUARANTEED : DeadlineStatus.AT_RISK);
            }
        }
        return deadlineStatuses;
    }

    private static boolean isOnPace(Job job, double deadline, @Nullable Allocation given, double now) {
        if (given == null) {
            return false;
        }
        double seconds = deadline - now - job.secondsToProgress(given, now);
        return Goodput.of(job.spec(), given.configuration()) * seconds >= job.remainingSamples();
    }
}
