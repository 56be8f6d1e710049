package dev.spur.solver.knapsack;

import java.util.List;

/** The jobs' alternatives and the quotas, as flat arrays: alternative a takes {@code slots(a)} slots of {@code quota(a)}. */
final class Choices {
    private final int[] most;
    private final int[] kept;
    private final int[] start;
    private final int[] quota;
    private final int[] slots;

    Choices(List<Knapsack.Quota> quotas, int[] start, int[] quota, int[] slots) {
        this.most = quotas.stream().mapToInt(Knapsack.Quota::most).toArray();
        this.kept = quotas.stream().mapToInt(Knapsack.Quota::kept).toArray();
        this.start = start.clone();
        this.quota = quota.clone();
        this.slots = slots.clone();
    }

    int jobs() {
        return start.length - 1;
    }

    int quotas() {
        return most.length;
    }

    /** Number of alternatives. */
    int size() {
        return slots.length;
    }

    /** First alternative of job {@code j}. */
    int first(int j) {
        return start[j];
    }

    /** One past the last alternative of job {@code j}. */
    int end(int j) {
        return start[j + 1];
    }

    /** The quota of which alternative {@code a} takes slots; -1 for none. */
    int quota(int a) {
        return quota[a];
    }

    /** Slots of its quota that alternative {@code a} takes. */
    int slots(int a) {
        return slots[a];
    }

    /** Slots of quota {@code q} that alternative {@code a} takes. */
    int slots(int a, int q) {
        return quota[a] == q ? slots[a] : 0;
    }

    /** Slots that quota {@code q} allows. */
    int most(int q) {
        return most[q];
    }

    /** Slots that are claimed for quota {@code q} even when fewer are used. */
    int kept(int q) {
        return kept[q];
    }
}
