package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Decision of Spur's own policy. */
final class SpurDecision implements Decision {
    private final CandidateSet candidates;
    private final SolveResult result;
    private final PlanWriter writer;
    private final StepTimer steps;

    SpurDecision(CandidateSet candidates, SolveResult result, PlanWriter writer, StepTimer steps) {
        this.candidates = candidates;
        this.result = result;
        this.writer = writer;
        this.steps = steps;
    }

    @Override
    public Map<String, Allocation> allocations() {
        Map<String, Allocation> byId = new HashMap<>();
        result.placement()
                .allocations()
                .forEach((j, allocation) -> byId.put(candidates.job(j).id(), allocation));
        return byId;
    }

    @Override
    public Map<String, DeadlineStatus> deadlineStatuses() {
        return writer.deadlineStatuses();
    }

    @Override
    public RoundMemory memory() {
        return writer.memory();
    }

    @Override
    public OptionalDouble gap() {
        return OptionalDouble.of(writer.gap());
    }

    @Override
    public RoundPlan plan() {
        RoundPlan plan = steps.time("explanations", writer::write);
        return writer.withTimes(plan, steps.times());
    }
}
