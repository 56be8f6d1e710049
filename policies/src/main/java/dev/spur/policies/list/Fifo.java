package dev.spur.policies.list;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;

/**
 * First in, first out, as capacity schedulers do: whoever runs goes on, and by arrival each waiting job takes the slots
 * that it asks for.
 */
public final class Fifo implements Policy {
    private final String name;
    private final boolean goesOn;

    /** @param goesOn true if later jobs may start when one does not fit; false if the first misfit ends the walk */
    public Fifo(String name, boolean goesOn) {
        this.name = name;
        this.goesOn = goesOn;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return true;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        PlacementState seating = new PlacementState(snapshot);
        int[] order = JobOrders.byArrival(snapshot);
        for (int j : order) {
            seating.keep(j);
        }
        for (int j : order) {
            if (seating.isFull()) {
                break;
            }
            boolean runs = seating.isSeated(j) || seating.start(j, snapshot.requested(j), PlacementRules.FEWEST_NODES);
            if (!runs && !goesOn && couldEverRun(snapshot, j)) {
                break;
            }
        }
        return seating.decision(RoundMemory.EMPTY);
    }

    /** A job for which the cluster has no place even when it is empty must not stop the others for ever. */
    private static boolean couldEverRun(RoundView snapshot, int j) {
        return PlacementState.couldEverStart(snapshot, j, snapshot.requested(j), PlacementRules.FEWEST_NODES);
    }
}
