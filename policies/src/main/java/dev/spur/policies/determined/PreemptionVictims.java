package dev.spur.policies.determined;

import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Running jobs that may be preempted, the last in the queue first. */
final class PreemptionVictims {
    private final RoundView view;
    private final PlacementState placement;
    private final List<Integer> jobs = new ArrayList<>();
    /** Queue positions of the victims, descending. */
    private final List<Integer> places = new ArrayList<>();
    /** Gang sizes for which preemption failed: jobs further back in the queue fail as well. */
    private final Set<Integer> infeasible = new HashSet<>();

    private int stopped;

    /**
     * Creates the victims.
     *
     * @param queue all jobs in queue order; running jobs are placed
     */
    PreemptionVictims(RoundView view, PlacementState placement, int[] queue) {
        this.view = view;
        this.placement = placement;
        for (int i = queue.length - 1; i >= 0; i--) {
            if (placement.isPlaced(queue[i]) && !view.isPinned(queue[i])) {
                jobs.add(queue[i]);
                places.add(i);
            }
        }
    }

    /**
     * Stops jobs behind {@code place} one by one until {@code start} succeeds; if it never does, restores them all.
     * Returns whether {@code start} succeeded.
     */
    boolean makeRoom(int place, BooleanSupplier start, int slots) {
        if (infeasible.contains(slots) || !areBehind(place, slots)) {
            return false;
        }
        List<Integer> removed = new ArrayList<>();
        for (int i = 0; i < jobs.size() && places.get(i) > place; i++) {
            int victim = jobs.get(i);
            boolean mayStop = stopped + removed.size() < view.maxRestarts();
            if (mayStop && placement.isPlaced(victim)) {
                placement.remove(victim);
                removed.add(victim);
                if (start.getAsBoolean()) {
                    stopped += removed.size();
                    return true;
                }
            }
        }
        removed.forEach(placement::keep);
        infeasible.add(slots);
        return false;
    }

    /** Returns true if the free slots and those of the victims are at least {@code slots}. */
    private boolean areBehind(int place, int slots) {
        int sum = view.partitions().stream().mapToInt(placement::free).sum();
        for (int i = 0; i < jobs.size() && places.get(i) > place && sum < slots; i++) {
            sum += placement.isPlaced(jobs.get(i)) ? view.heldSlots(jobs.get(i)) : 0;
        }
        return sum >= slots;
    }
}
