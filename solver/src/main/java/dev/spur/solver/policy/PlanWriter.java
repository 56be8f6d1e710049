package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.ClassQuality;
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
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.explain.ConfigurationExplanation;
import dev.spur.solver.explain.PendingReasonFinder;
import dev.spur.solver.explain.ShadowPriceMessages;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.StarvationReservation;
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
    private final CandidateSet offered;
    private final SolveResult outcome;
    private final double work;
    private final PlacedObjective valuation;

    private final @Nullable StarvationReservation turn;

    /**
     * @param candidates all candidates, for the reasons
     * @param offered candidates that the plan was chosen from
     * @param turn placement reserved for a starving job; null if there is none
     */
    PlanWriter(
            CandidateSet candidates,
            CandidateSet offered,
            SolveResult outcome,
            double work,
            @Nullable StarvationReservation turn) {
        this.turn = turn;
        this.candidates = candidates;
        this.offered = offered;
        this.outcome = outcome;
        this.work = work;
        this.valuation = new PlacedObjective(candidates);
    }

    RoundPlan write() {
        Map<Integer, Allocation> allocations = outcome.placement().allocations();
        ConfigurationExplanation explanation = new ConfigurationExplanation(candidates, allocations);
        List<PlannedJob> running = ParallelLoop.range(candidates.jobs())
                .filter(allocations::containsKey)
                .mapToObj(j -> toPlanned(j, Objects.requireNonNull(allocations.get(j)), explanation))
                .toList();
        double total = 0;
        for (PlannedJob planned : running) {
            total += planned.utility();
        }
        double[] before = new double[1];
        List<PendingJob> waiting = new ArrayList<>();
        ParallelLoop.runBoth(
                () -> before[0] = worth(Placer.place(offered, GreedyFill.repairPlan(offered))),
                () -> waiting.addAll(PendingReasonFinder.pendingJobs(
                        candidates, allocations, j -> isCommitted(j, allocations.get(j)), turn)));
        List<ClassQuality> classes = ClassQualities.of(candidates, outcome, running);
        return new RoundPlan(
                running,
                waiting,
                deadlineStatuses(),
                SolutionQuality.of(status(classes), total, bound(classes), before[0])
                        .withClasses(classes),
                new SolverStats(
                        candidates.jobs(),
                        candidates.size(),
                        outcome.rows(),
                        work,
                        List.of(),
                        ResourceKey.byName(outcome.prices()),
                        ShadowPriceMessages.of(outcome.shadowPrices(), total / Math.max(1, slots(running)))),
                memory());
    }

    private static long slots(List<PlannedJob> running) {
        return running.stream()
                .mapToLong(planned -> planned.allocation().configuration().slots())
                .sum();
    }

    /** Returns the dual prices and the other memory of the previous round. */
    RoundMemory memory() {
        return new RoundMemory(
                ResourceKey.byName(outcome.prices()),
                candidates.problem().memory().counters());
    }

    /**
     * Returns the optimality gap of the quality record: distance of objective value and bound relative to the bound.
     */
    double gap() {
        List<ClassQuality> classes = ClassQualities.of(candidates, outcome);
        double total = worth(outcome.placement());
        return SolutionQuality.of(SolveStatus.OPTIMAL, total, bound(classes), 0).gap();
    }

    private double worth(PlacementResult placement) {
        return placement.allocations().entrySet().stream()
                .mapToDouble(entry -> valuation.utility(candidates.job(entry.getKey()), entry.getValue()))
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

    private PlannedJob toPlanned(int j, Allocation given, ConfigurationExplanation explanation) {
        Job job = candidates.job(j);
        double goodput = Goodput.of(job.spec(), given.configuration());
        double worth = valuation.utility(job, given);
        return new PlannedJob(
                job.id(),
                given,
                ChangeKind.between(job.allocation(), given),
                goodput,
                worth,
                explanation.message(j, given, goodput, worth));
    }

    private SolveStatus status(List<ClassQuality> classes) {
        if (!outcome.solved() && outcome.end() == Solution.End.INFEASIBLE) {
            return SolveStatus.FALLBACK;
        }
        if (classes.stream().allMatch(own -> own.gap() <= 1e-6)) {
            return SolveStatus.OPTIMAL;
        }
        return switch (outcome.end()) {
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
        Map<Integer, Allocation> allocations = outcome.placement().allocations();
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
    private boolean isCommitted(int j, @Nullable Allocation given) {
        Job job = candidates.job(j);
        return candidates.limits().isOverdue(job)
                || candidates.limits().isInStint(job)
                || (job.deadline() != null && isOnPace(job, given));
    }

    private boolean isOnPace(Job job, @Nullable Allocation given) {
        if (given == null) {
            return false;
        }
        double goodput = Goodput.of(job.spec(), given.configuration());
        return Obligations.isOnPace(
                job, goodput, job.changeTo(given), candidates.problem().now());
    }
}
