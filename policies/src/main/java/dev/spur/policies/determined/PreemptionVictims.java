package dev.spur.policies.determined;

import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Running jobs that may be stopped for others, the last in the queue first. */
final class PreemptionVictims {
    private final RoundView snapshot;
    private final PlacementState seating;
    private final List<Integer> jobs = new ArrayList<>();
    /** Place of each in the queue, descending. */
    private final List<Integer> places = new ArrayList<>();
    /** Gangs for which no room could be made: whoever stands further behind in the queue fails as well. */
    private final Set<Integer> hopeless = new HashSet<>();

    private int stopped;

    /** @param queue all jobs, the first to be served first; those that run are seated */
    PreemptionVictims(RoundView snapshot, PlacementState seating, int[] queue) {
        this.snapshot = snapshot;
        this.seating = seating;
        for (int i = queue.length - 1; i >= 0; i--) {
            if (seating.isSeated(queue[i]) && !snapshot.isPinned(queue[i])) {
                jobs.add(queue[i]);
                places.add(i);
            }
        }
    }

    /**
     * Stops jobs behind {@code place} one by one until {@code start} succeeds; if it never does, they all go on.
     * Returns whether it did.
     */
    boolean makeRoom(int place, BooleanSupplier start, int slots) {
        if (hopeless.contains(slots) || !areBehind(place, slots)) {
            return false;
        }
        List<Integer> removed = new ArrayList<>();
        for (int i = 0; i < jobs.size() && places.get(i) > place; i++) {
            int victim = jobs.get(i);
            boolean mayStop = stopped + removed.size() < snapshot.mostRestarts();
            if (mayStop && seating.isSeated(victim)) {
                seating.remove(victim);
                removed.add(victim);
                if (start.getAsBoolean()) {
                    stopped += removed.size();
                    return true;
                }
            }
        }
        removed.forEach(seating::keep);
        hopeless.add(slots);
        return false;
    }

    /** True if free slots and those of the jobs that could be stopped are at least {@code slots}. */
    private boolean areBehind(int place, int slots) {
        int sum = snapshot.lanes().stream().mapToInt(seating::free).sum();
        for (int i = 0; i < jobs.size() && places.get(i) > place && sum < slots; i++) {
            sum += seating.isSeated(jobs.get(i)) ? snapshot.held(jobs.get(i)) : 0;
        }
        return sum >= slots;
    }
}
