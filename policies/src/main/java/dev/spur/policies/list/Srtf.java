package dev.spur.policies.list;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;

/** Shortest remaining time first, with preemption: jobs by the remaining seconds on their requested slots. */
public final class Srtf implements Policy {
    @Override
    public String name() {
        return "srtf";
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return true;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = new SlotAllocations(view);
        for (int j : JobOrders.byRemainingTime(view)) {
            if (allocations.isFull()) {
                break;
            }
            allocations.grant(j, view.requestedSlots(j));
        }
        return PlacementState.decide(allocations, RoundMemory.EMPTY);
    }
}
