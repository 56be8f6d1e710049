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
    private int untouchable;
    private int smallestWaiting = Integer.MAX_VALUE;
    private int offered;

    /** @param arrival when the oldest of its jobs arrived */
    FairShareGroup(double weight, double arrival) {
        this.weight = weight;
        this.arrival = arrival;
    }

    void add(int j, int slots, boolean runs, boolean pinned, boolean couldRun) {
        if (runs) {
            running.add(j);
            held += slots;
            demand += slots;
            untouchable += pinned ? slots : 0;
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

    int held() {
        return held;
    }

    /** Slots of all jobs that run or could be placed at all. */
    int demand() {
        return demand;
    }

    /** Slots of jobs that may not be stopped: offered before anything else. */
    int untouchable() {
        return untouchable;
    }

    int offered() {
        return offered;
    }

    void offer(int more) {
        offered += more;
    }

    boolean isSatisfied() {
        return offered >= demand;
    }

    /** True if not even the smallest of its waiting jobs fits into the offer. */
    boolean isStuck() {
        return !waiting.isEmpty() && smallestWaiting > offered;
    }
}
