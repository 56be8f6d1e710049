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

/** Shortest remaining time first: by the seconds that a job still needs on what it asks for, and with preemption. */
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
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        SlotAllocations grants = new SlotAllocations(snapshot);
        for (int j : JobOrders.byRemainingTime(snapshot)) {
            if (grants.isFull()) {
                break;
            }
            grants.give(j, snapshot.requested(j));
        }
        return PlacementState.decide(grants, RoundMemory.EMPTY);
    }
}
