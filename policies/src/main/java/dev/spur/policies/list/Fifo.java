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
 * First in, first out, as in capacity schedulers: running jobs continue, and each waiting job, by arrival, gets its
 * requested slots.
 */
public final class Fifo implements Policy {
    private final String name;
    private final boolean backfill;

    /**
     * Creates the policy.
     *
     * @param backfill true if later jobs may start when one does not fit; false if the first job that does not fit ends
     *     the pass
     */
    public Fifo(String name, boolean backfill) {
        this.name = name;
        this.backfill = backfill;
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
        RoundView view = RoundView.of(problem, BatchRule.USER);
        PlacementState placement = new PlacementState(view);
        int[] order = JobOrders.byArrival(view);
        for (int j : order) {
            placement.keep(j);
        }
        for (int j : order) {
            if (placement.isFull()) {
                break;
            }
            boolean runs =
                    placement.isPlaced(j) || placement.start(j, view.requestedSlots(j), PlacementRules.MIN_NODES);
            if (!runs && !backfill && couldEverRun(view, j)) {
                break;
            }
        }
        return placement.decision(RoundMemory.EMPTY);
    }

    /** Returns true if the job fits into the empty cluster. Otherwise it would block all later jobs forever. */
    private static boolean couldEverRun(RoundView view, int j) {
        return PlacementState.couldEverStart(view, j, view.requestedSlots(j), PlacementRules.MIN_NODES);
    }
}
