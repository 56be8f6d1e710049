package dev.spur.policies.list;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.round.BatchRule;
import dev.spur.policies.round.Grants;
import dev.spur.policies.round.Orders;
import dev.spur.policies.round.Seating;
import dev.spur.policies.round.Snapshot;
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
        Snapshot snapshot = Snapshot.of(problem, BatchRule.USER);
        Grants grants = new Grants(snapshot);
        for (int j : Orders.byRemainingTime(snapshot)) {
            if (grants.isFull()) {
                break;
            }
            grants.give(j, snapshot.requested(j));
        }
        return Seating.decide(grants, RoundMemory.EMPTY);
    }
}
