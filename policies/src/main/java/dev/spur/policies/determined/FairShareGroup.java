package dev.spur.policies.determined;

import java.util.ArrayList;
import java.util.List;

/** Jobs that share an offer of slots. */
final class FairShareGroup {
    private final double weight;
    private final double arrival;
    private final List<Integer> running = new ArrayList<>();
    private final List<Integer> waiting = new ArrayList<>();
    private int held;
    private int demand;
    private int pinnedSlots;
    private int smallestWaiting = Integer.MAX_VALUE;
    private int offered;

    /**
     * Creates a group.
     *
     * @param weight fair-share weight
     * @param arrival earliest arrival of its jobs
     */
    FairShareGroup(double weight, double arrival) {
        this.weight = weight;
        this.arrival = arrival;
    }

    void add(int j, int slots, boolean runs, boolean pinned, boolean couldRun) {
        if (runs) {
            running.add(j);
            held += slots;
            demand += slots;
            pinnedSlots += pinned ? slots : 0;
            offered += pinned ? slots : 0;
        } else if (couldRun) {
            waiting.add(j);
            demand += slots;
            smallestWaiting = Math.min(smallestWaiting, slots);
        }
    }

    double weight() {
        return weight;
    }

    double arrival() {
        return arrival;
    }

    List<Integer> running() {
        return running;
    }

    List<Integer> waiting() {
        return waiting;
    }

    int heldSlots() {
        return held;
    }

    /** Returns the slots of all jobs that run or could be placed. */
    int demand() {
        return demand;
    }

    /** Returns the slots of jobs that may not be stopped, which are offered first. */
    int pinnedSlots() {
        return pinnedSlots;
    }

    int offeredSlots() {
        return offered;
    }

    void offer(int more) {
        offered += more;
    }

    boolean isSatisfied() {
        return offered >= demand;
    }

    /** Returns true if the smallest waiting job does not fit the offer. */
    boolean isStuck() {
        return !waiting.isEmpty() && smallestWaiting > offered;
    }
}
