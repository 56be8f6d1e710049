package dev.spur.solver.knapsack;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Bit packing of a state: one field for the use of each quota, and two for the cap whose jobs are being decided, shared
 * by all caps.
 */
final class StateCodec {
    /** Bits of a state; the sign stays free. */
    static final int BITS = 62;

    private final KnapsackInstance instance;
    private final int[] shift;
    private final long[] mask;

    /** Fields for {@code instance}, which take at most {@link #BITS}. */
    StateCodec(KnapsackInstance instance) {
        this.instance = instance;
        int[] widths = widths(instance);
        shift = new int[widths.length];
        mask = new long[widths.length];
        int next = 0;
        for (int f = 0; f < widths.length; f++) {
            shift[f] = next;
            mask[f] = (1L << widths[f]) - 1;
            next += widths[f];
        }
    }

    /** Returns the number of bits for the use of all quotas and of one cap. */
    static int bits(KnapsackInstance instance) {
        return IntStream.of(widths(instance)).sum();
    }

    /** Returns by field its bits: enough for the use of all jobs together, feasible or not. */
    private static int[] widths(KnapsackInstance instance) {
        int quotas = instance.quotas();
        int[] widths = new int[quotas + 2];
        Arrays.setAll(widths, q -> q < quotas ? width(instance, q) : 0);
        for (int g = 0; g < instance.caps(); g++) {
            widths[quotas] = Math.max(widths[quotas], width(instance, instance.slotsOf(g)));
            widths[quotas + 1] = Math.max(widths[quotas + 1], width(instance, instance.jobsOf(g)));
        }
        return widths;
    }

    private static int width(KnapsackInstance instance, int limit) {
        return Long.SIZE - Long.numberOfLeadingZeros(instance.mostUsed(limit));
    }

    /** Returns the use of quotas by alternative {@code a}. */
    long ofQuotas(int a) {
        int q = instance.quota(a);
        return q < 0 ? 0 : (long) instance.slots(a) << shift[q];
    }

    /** Returns the use of its job's cap by alternative {@code a} of job {@code j}. */
    long ofCap(int j, int a) {
        return instance.cap(j) < 0 || instance.slots(a) == 0
                ? 0
                : ((long) instance.slots(a) << shift[instance.quotas()]) + (1L << shift[instance.quotas() + 1]);
    }

    /**
     * Returns the use of {@code limit} in {@code state}: a quota, or a limit of the cap whose jobs are being decided.
     */
    int useOf(long state, int limit) {
        int field = limit < instance.quotas() ? limit : instance.quotas() + (limit - instance.quotas()) % 2;
        return (int) (state >>> shift[field] & mask[field]);
    }

    /** Returns {@code state} without the use of the cap. */
    long withoutCap(long state) {
        int slots = instance.quotas();
        return state & ~(mask[slots] << shift[slots]) & ~(mask[slots + 1] << shift[slots + 1]);
    }
}
