package dev.spur.solver;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Check of allocations by the plan validator: a plan without reasons and figures that contains them. */
public final class PlannedAllocations {
    private PlannedAllocations() {}

    /** Returns the violations of the plan of {@code allocations}, by index of the job. */
    public static List<Violation> violations(RoundProblem problem, Map<Integer, Allocation> allocations) {
        List<PlannedJob> running = new ArrayList<>();
        List<PendingJob> waiting = new ArrayList<>();
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>();
        for (int j = 0; j < problem.jobs().size(); j++) {
            Job job = problem.jobs().get(j);
            if (job.deadline() != null) {
                deadlineStatuses.put(job.id(), DeadlineStatus.AT_RISK);
            }
            Allocation given = allocations.get(j);
            if (given == null) {
                waiting.add(new PendingJob(job.id(), PendingReason.CAPACITY, null, null, null, 1, "It waits."));
            } else {
                running.add(running(job, given, utility(problem, job, given)));
            }
        }
        double value = running.stream().mapToDouble(PlannedJob::utility).sum();
        RoundPlan plan = new RoundPlan(
                running,
                waiting,
                deadlineStatuses,
                SolutionQuality.of(SolveStatus.OPTIMAL, value, value, 0),
                new SolverStats(0, 0, 0, 0, List.of(), Map.of(), List.of()),
                RoundMemory.EMPTY);
        return PlanCheck.violations(problem, plan);
    }

    /** Returns the utility of {@code job} in {@code given} as the plan validator computes it. */
    public static double utility(RoundProblem problem, Job job, Allocation given) {
        return PlanCheck.objectiveValue(problem, List.of(running(job, given, 0)));
    }

    private static PlannedJob running(Job job, Allocation given, double utility) {
        return new PlannedJob(job.id(), given, ChangeKind.between(job.allocation(), given), 0, utility, "It runs.");
    }
}
