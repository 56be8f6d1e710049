package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import java.util.Map;
import java.util.OptionalDouble;

/** Decision derived from an existing plan. */
record PlannedDecision(RoundPlan plan, Map<String, Allocation> allocations) implements Decision {
    @Override
    public Map<String, DeadlineStatus> deadlineStatuses() {
        return plan.deadlineStatuses();
    }

    @Override
    public RoundMemory memory() {
        return plan.memory();
    }

    @Override
    public OptionalDouble gap() {
        return OptionalDouble.of(plan.quality().gap());
    }
}
