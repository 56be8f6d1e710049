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
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Check of allocations by the plan validator: a plan without reasons and figures that contains them. */
public final class PlannedAllocations {
    private PlannedAllocations() {}

    /**
     * Returns the violations of the plan of {@code allocations}, by job.
     *
     * @param choice candidate by job, from which the utility is taken; -1 for waiting
     */
    public static List<Violation> violations(
            CandidateSet candidates, int[] choice, Map<Integer, Allocation> allocations) {
        List<PlannedJob> running = new ArrayList<>();
        List<PendingJob> waiting = new ArrayList<>();
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>();
        double value = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            Job job = candidates.job(j);
            if (job.deadline() != null) {
                deadlineStatuses.put(job.id(), DeadlineStatus.AT_RISK);
            }
            Allocation given = allocations.get(j);
            if (given == null) {
                waiting.add(new PendingJob(job.id(), PendingReason.CAPACITY, null, null, null, 1, "It waits."));
            } else {
                double own = candidates.get(choice[j]).utility();
                value += own;
                running.add(new PlannedJob(
                        job.id(), given, ChangeKind.between(job.allocation(), given), 0, own, "It runs."));
            }
        }
        RoundPlan plan = new RoundPlan(
                running,
                waiting,
                deadlineStatuses,
                SolutionQuality.of(SolveStatus.OPTIMAL, value, value, 0),
                new SolverStats(0, 0, 0, 0, List.of(), Map.of(), List.of()),
                RoundMemory.EMPTY);
        return PlanCheck.violations(candidates.problem(), plan);
    }
}
