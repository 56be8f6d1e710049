package dev.spur.service.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
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

/** Plans of which is given who holds what. Preparations of data are planned beside it as in every round. */
final class PlanEvaluator {
    private static final String NOT_YET = "It would start by a plan that waits for the approval of an operator.";

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

    /** What each job holds now, by id. */
    static Map<String, Allocation> held(RoundProblem problem) {
        Map<String, Allocation> held = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.allocation() != null) {
                held.put(job.id(), job.allocation());
            }
        }
        return held;
    }

    /** The problem in which nobody who runs may be touched, so that letting everybody stay breaks no rule. */
    static RoundProblem untouchable(RoundProblem problem) {
        return problem.withJobs(problem.jobs().stream()
                .map(job -> job.allocation() == null
                        ? job
                        : job.withSpec(job.spec().edit().preemptible(false).done()))
                .toList());
    }

    /**
     * The plan in which everybody stays, whom nothing has stopped. Who would run by {@code wanted} waits for its
     * approval, and the others for the reasons that stand there.
     */
    static RoundPlan standing(RoundProblem problem, RoundPlan wanted) {
        RoundPlan bare = plan(untouchable(problem), held(problem));
        Map<String, PendingJob> reasons =
                wanted.waiting().stream().collect(Collectors.toMap(PendingJob::jobId, Function.identity()));
        List<PendingJob> waiting = new ArrayList<>();
        for (PendingJob pending : bare.waiting()) {
            PendingJob told = reasons.getOrDefault(
                    pending.jobId(),
                    new PendingJob(pending.jobId(), PendingReason.AWAITING_APPROVAL, null, null, null, 1, NOT_YET));
            waiting.add(told.at(waiting.size() + 1));
        }
        return finished(problem, bare, waiting, wanted.deadlineStatuses(), wanted);
    }

    /**
     * The plan that gives jobs what {@code given} says, with the bound and figures of {@code present}, made for the
     * same problem.
     */
    static RoundPlan approved(
            RoundProblem problem,
            Map<String, Allocation> given,
            Map<String, DeadlineStatus> deadlineStatuses,
            RoundPlan present) {
        RoundPlan bare = plan(problem, given);
        return finished(problem, bare, bare.waiting(), deadlineStatuses, present);
    }

    private static RoundPlan plan(RoundProblem problem, Map<String, Allocation> given) {
        return Policies.preparing(new FixedAllocationPolicy(given)).plan(problem);
    }

    private static RoundPlan finished(
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
                        quality.fallbackObjectiveValue()),
                present.stats(),
                present.memory(),
                bare.preparations());
    }

    /** Deadlines that are promised, or were to be, and are kept as long as the job goes on so. */
    private static Map<String, DeadlineStatus> deadlineStatuses(
            RoundProblem problem, RoundPlan plan, Map<String, DeadlineStatus> wanted) {
        Map<String, Allocation> given =
                plan.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>();
        for (Job job : problem.jobs()) {
            if (job.deadline() != null) {
                boolean isWanted = job.deadlineStatus() == DeadlineStatus.GUARANTEED
                        || wanted.get(job.id()) == DeadlineStatus.GUARANTEED;
                boolean isKept = isWanted && isOnPace(job, job.deadline(), given.get(job.id()), problem.now());
                deadlineStatuses.put(job.id(), isKept ? DeadlineStatus.GUARANTEED : DeadlineStatus.AT_RISK);
            }
        }
        return deadlineStatuses;
    }

    private static boolean isOnPace(Job job, double deadline, @Nullable Allocation given, double now) {
        if (given == null) {
            return false;
        }
        boolean stays = job.allocation() != null && given.sameRunAs(job.allocation());
        double restart = stays ? job.restartSecondsLeft(now) : job.spec().restartPenaltySeconds();
        return Goodput.of(job.spec(), given.configuration()) * (deadline - now - restart) >= job.remainingSamples();
    }
}
