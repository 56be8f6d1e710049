package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.ClassQuality;
import dev.spur.model.round.IdleSlots;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.model.round.StepTime;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.explain.ConfigurationExplanation;
import dev.spur.solver.explain.IdleSlotFinder;
import dev.spur.solver.explain.PendingReasonFinder;
import dev.spur.solver.explain.ShadowPriceMessages;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.StarvationReservation;
import dev.spur.solver.resource.ResourceKey;
import dev.spur.solver.solve.PlacedObjective;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writer of the plan of a round: jobs, reasons, deadline statuses and quality. */
final class PlanWriter {
    private final CandidateSet candidates;
    private final CandidateSet offeredCandidates;
    private final SolveResult result;
    private final double work;
    private final PlacedObjective objective;

    private final @Nullable StarvationReservation starvationReservation;

    /**
     * @param candidates all candidates, for the reasons
     * @param offeredCandidates candidates that the plan was chosen from
     * @param starvationReservation placement reserved for a starving job; null if there is none
     */
    PlanWriter(
            CandidateSet candidates,
            CandidateSet offeredCandidates,
            SolveResult result,
            double work,
            @Nullable StarvationReservation starvationReservation) {
        this.starvationReservation = starvationReservation;
        this.candidates = candidates;
        this.offeredCandidates = offeredCandidates;
        this.result = result;
        this.work = work;
        this.objective = new PlacedObjective(candidates);
    }

    RoundPlan write() {
        Map<Integer, Allocation> allocations = result.placement().allocations();
        ConfigurationExplanation explanation = new ConfigurationExplanation(candidates, allocations);
        List<PlannedJob> runningJobs = ParallelLoop.range(candidates.jobs())
                .filter(allocations::containsKey)
                .mapToObj(j -> toPlanned(j, Objects.requireNonNull(allocations.get(j)), explanation))
                .toList();
        double total = 0;
        for (PlannedJob planned : runningJobs) {
            total += planned.utility();
        }
        double[] before = new double[1];
        List<PendingJob> pendingJobs = new ArrayList<>();
        List<IdleSlots> idleSlots = new ArrayList<>();
        ParallelLoop.runBoth(
                () -> {
                    before[0] = worth(Placer.place(offeredCandidates, GreedyFill.repairPlan(offeredCandidates)));
                    idleSlots.addAll(IdleSlotFinder.idleSlots(
                            candidates, allocations, utilities(allocations), starvationReservation));
                },
                () -> pendingJobs.addAll(PendingReasonFinder.pendingJobs(
                        candidates, allocations, j -> isCommitted(j, allocations.get(j)), starvationReservation)));
        List<ClassQuality> classes = ClassQualities.of(candidates, result, runningJobs);
        SolveStatus status = status(classes);
        return new RoundPlan(
                runningJobs,
                pendingJobs,
                deadlineStatuses(),
                SolutionQuality.of(status, total, bound(classes), before[0])
                        .withClasses(classes)
                        .withSearch(
                                status == SolveStatus.OPTIMAL
                                        ? result.search()
                                        : result.search().withoutProof()),
                new SolverStats(
                        candidates.jobs(),
                        candidates.size(),
                        result.rows(),
                        work,
                        List.of(),
                        ResourceKey.byName(result.prices()),
                        ShadowPriceMessages.of(result.shadowPrices(), total / Math.max(1, slots(runningJobs))),
                        idleSlots),
                memory());
    }

    private Map<Integer, Double> utilities(Map<Integer, Allocation> allocations) {
        Map<Integer, Double> utilities = new HashMap<>();
        allocations.forEach((j, allocation) -> utilities.put(j, objective.utility(candidates.job(j), allocation)));
        return utilities;
    }

    private static long slots(List<PlannedJob> runningJobs) {
        return runningJobs.stream()
                .mapToLong(planned -> planned.allocation().configuration().slots())
                .sum();
    }

    /** Returns the dual prices and the other memory of the previous round. */
    RoundMemory memory() {
        return new RoundMemory(
                ResourceKey.byName(result.prices()),
                candidates.problem().memory().counters());
    }

    /**
     * Returns the optimality gap of the quality record: distance of objective value and bound relative to the bound.
     */
    double gap() {
        List<ClassQuality> classes = ClassQualities.of(candidates, result);
        double total = worth(result.placement());
        return SolutionQuality.of(SolveStatus.OPTIMAL, total, bound(classes), 0).gap();
    }

    private double worth(PlacementResult placement) {
        return placement.allocations().entrySet().stream()
                .mapToDouble(entry -> objective.utility(candidates.job(entry.getKey()), entry.getValue()))
                .sum();
    }

    RoundPlan withTimes(RoundPlan plan, List<StepTime> times) {
        return new RoundPlan(
                plan.running(),
                plan.waiting(),
                plan.deadlineStatuses(),
                plan.quality(),
                plan.stats().withSteps(times),
                plan.memory());
    }

    private PlannedJob toPlanned(int j, Allocation allocation, ConfigurationExplanation explanation) {
        Job job = candidates.job(j);
        double goodput = Goodput.of(job.spec(), allocation.configuration());
        double worth = objective.utility(job, allocation);
        return new PlannedJob(
                job.id(),
                allocation,
                ChangeKind.between(job.allocation(), allocation),
                goodput,
                worth,
                explanation.message(j, allocation, goodput, worth));
    }

    private SolveStatus status(List<ClassQuality> classes) {
        if (!result.solved() && result.end() == Solution.End.INFEASIBLE) {
            return SolveStatus.FALLBACK;
        }
        if (classes.stream().allMatch(own -> own.gap() <= 1e-6)) {
            return SolveStatus.OPTIMAL;
        }
        return switch (result.end()) {
            case OPTIMAL, GAP_LIMIT -> SolveStatus.GAP_LIMIT;
            case WORK_LIMIT -> SolveStatus.WORK_LIMIT;
            case TIME_LIMIT -> SolveStatus.TIME_LIMIT;
            case INFEASIBLE -> SolveStatus.FALLBACK;
        };
    }

    private static double bound(List<ClassQuality> classes) {
        return classes.stream().mapToDouble(ClassQuality::bestBound).sum();
    }

    /** Returns the status of each deadline. */
    Map<String, DeadlineStatus> deadlineStatuses() {
        Map<Integer, Allocation> allocations = result.placement().allocations();
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            Job job = candidates.job(j);
            if (job.deadline() != null) {
                deadlineStatuses.put(
                        job.id(),
                        isOnPace(job, allocations.get(j)) ? DeadlineStatus.GUARANTEED : DeadlineStatus.AT_RISK);
            }
        }
        return deadlineStatuses;
    }

    /**
     * Returns whether the running job {@code j} serves its deadline, or starts or runs after a wait beyond its limit.
     */
    private boolean isCommitted(int j, @Nullable Allocation allocation) {
        Job job = candidates.job(j);
        return candidates.limits().isOverdue(job)
                || candidates.limits().isInStint(job)
                || (job.deadline() != null && isOnPace(job, allocation));
    }

    private boolean isOnPace(Job job, @Nullable Allocation allocation) {
        if (allocation == null) {
            return false;
        }
        double goodput = Goodput.of(job.spec(), allocation.configuration());
        return Obligations.isOnPace(
                job, goodput, job.changeTo(allocation), candidates.problem().now());
    }
}
