package dev.spur.solver.knapsack;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Knapsack instance as flat arrays: alternative a takes {@code slots(a)} slots of {@code quota(a)}, and as many of the
 * cap of its job, which also counts the job if it takes any.
 *
 * <p>Limits have one numbering: quotas first, then the slots and the jobs of each cap.
 */
final class KnapsackInstance {
    private final int quotas;
    private final int[] max;
    private final int[] retained;
    private final int[] start;
    private final int[] capOf;
    private final int[] quota;
    private final int[] slots;

    KnapsackInstance(
            List<Knapsack.Quota> quotas, List<Knapsack.Cap> caps, int[] start, int[] capOf, int[] quota, int[] slots) {
        this.quotas = quotas.size();
        this.start = start.clone();
        this.capOf = capOf.clone();
        this.quota = quota.clone();
        this.slots = slots.clone();
        this.max = new int[this.quotas + 2 * caps.size()];
        this.retained = new int[max.length];
        for (int q = 0; q < this.quotas; q++) {
            max[q] = (int) Math.min(quotas.get(q).max(), mostUsed(q));
            retained[q] = quotas.get(q).retained();
        }
        for (int g = 0; g < caps.size(); g++) {
            // No more than all of its jobs can take: a table of losses has this size.
            max[slotsOf(g)] = (int) Math.min(caps.get(g).slots(), mostUsed(slotsOf(g)));
            max[jobsOf(g)] = (int) Math.min(caps.get(g).jobs(), mostUsed(jobsOf(g)));
        }
    }

    int jobs() {
        return start.length - 1;
    }

    int quotas() {
        return quotas;
    }

    int caps() {
        return (max.length - quotas) / 2;
    }

    /** Number of limits: of quotas, and of slots and of jobs of caps. */
    int limits() {
        return max.length;
    }

    /** The limit on the slots of cap {@code g}. */
    int slotsOf(int g) {
        return quotas + 2 * g;
    }

    /** The limit on the jobs of cap {@code g}. */
    int jobsOf(int g) {
        return quotas + 2 * g + 1;
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

    /** The cap that counts job {@code j}; -1 for none. */
    int cap(int j) {
        return capOf[j];
    }

    /** The quota of which alternative {@code a} takes slots; -1 for none. */
    int quota(int a) {
        return quota[a];
    }

    /** Slots that alternative {@code a} takes; 0 for waiting. */
    int slots(int a) {
        return slots[a];
    }

    /** Returns the use of {@code limit} by alternative {@code a} of job {@code j}. */
    int use(int j, int a, int limit) {
        if (limit < quotas) {
            return quota[a] == limit ? slots[a] : 0;
        }
        if (capOf[j] < 0) {
            return 0;
        }
        if (limit == slotsOf(capOf[j])) {
            return slots[a];
        }
        return limit == jobsOf(capOf[j]) && slots[a] > 0 ? 1 : 0;
    }

    /** Adds {@code times} the use of each limit by alternative {@code a} of job {@code j}. */
    void addUse(int j, int a, int times, int[] use) {
        if (quota[a] >= 0) {
            use[quota[a]] += times * slots[a];
        }
        if (capOf[j] >= 0 && slots[a] > 0) {
            use[slotsOf(capOf[j])] += times * slots[a];
            use[jobsOf(capOf[j])] += times;
        }
    }

    /** Returns the use of each limit by {@code alternatives}, one alternative per job. */
    int[] useOf(int[] alternatives) {
        int[] use = new int[max.length];
        for (int j = 0; j < alternatives.length; j++) {
            addUse(j, alternatives[j], 1, use);
        }
        return use;
    }

    /** Returns the maximum use of {@code limit}. */
    int max(int limit) {
        return max[limit];
    }

    /** Returns the use of {@code limit} that is claimed even when less is used; 0 for caps. */
    int retainedUse(int limit) {
        return retained[limit];
    }

    /** Returns the maximum joint use of {@code limit} by all jobs. */
    long mostUsed(int limit) {
        return IntStream.range(0, jobs())
                .mapToLong(j -> IntStream.range(first(j), end(j))
                        .map(a -> use(j, a, limit))
                        .max()
                        .orElse(0))
                .sum();
    }
}
