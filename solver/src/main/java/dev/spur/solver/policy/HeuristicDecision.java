package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.solve.SolveResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Decision of a policy without a proof; candidates are generated only for the reasons. */
record HeuristicDecision(RoundProblem problem, Map<String, Allocation> allocations, RoundMemory memory)
        implements Decision {
    HeuristicDecision {
        allocations = Map.copyOf(allocations);
    }

    @Override
    public Map<String, DeadlineStatus> deadlineStatuses() {
        Map<String, DeadlineStatus> deadlineStatuses = new HashMap<>();
        problem.jobs().stream()
                .filter(job -> job.deadline() != null)
                .forEach(job -> deadlineStatuses.put(job.id(), DeadlineStatus.AT_RISK));
        return deadlineStatuses;
    }

    @Override
    public OptionalDouble gap() {
        return OptionalDouble.empty();
    }

    @Override
    public RoundPlan plan() {
        CandidateSet candidates = CandidateGenerator.generate(problem);
        Map<Integer, Allocation> byIndex = new HashMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation allocation = allocations.get(candidates.job(j).id());
            if (allocation != null) {
                byIndex.put(j, allocation);
            }
        }
        PlacementResult placement = new PlacementResult(byIndex, List.of(), List.of(), List.of());
        SolveResult result = SolveResult.withoutBound(placement, true);
        RoundPlan plan = new PlanWriter(candidates, candidates, result, 0, null).write();
        return new RoundPlan(
                plan.running(),
                plan.waiting(),
                deadlineStatuses(),
                plan.quality().withSearch(null),
                plan.stats(),
                memory);
    }
}
