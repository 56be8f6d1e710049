package dev.spur.policies.list;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.round.BatchRule;
import dev.spur.policies.round.Orders;
import dev.spur.policies.round.Placements;
import dev.spur.policies.round.Seating;
import dev.spur.policies.round.Snapshot;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;

/**
 * First in, first out, as capacity schedulers do: whoever runs goes on, and by arrival each waiting job takes the slots that it
 * asks for.
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
        Snapshot snapshot = Snapshot.of(problem, BatchRule.USER);
        Seating seating = new Seating(snapshot);
        int[] order = Orders.byArrival(snapshot);
        for (int j : order) {
            seating.keep(j);
        }
        for (int j : order) {
            if (seating.isFull()) {
                break;
            }
            boolean runs = seating.isSeated(j) || seating.start(j, snapshot.requested(j), Placements.FEWEST_NODES);
            if (!runs && !goesOn && couldEverRun(snapshot, j)) {
                break;
            }
        }
        return seating.decision(RoundMemory.EMPTY);
    }

    /** A job for which the cluster has no place even when it is empty must not stop the others for ever. */
    private static boolean couldEverRun(Snapshot snapshot, int j) {
        return Seating.couldEverStart(snapshot, j, snapshot.requested(j), Placements.FEWEST_NODES);
    }
}
