package dev.spur.solver.knapsack;

/**
 * Packs how much of each limit is used into one number: a field for each quota, and two for the cap whose jobs are just being
 * decided, which all caps share.
 */
final class Fields {
    /** Bits of a state; the sign stays free. */
    static final int BITS = 62;

    private final Choices choices;
    private final int[] shift;
    private final long[] mask;

    /** @throws IllegalArgumentException if the fields do not fit */
    Fields(Choices choices) {
        this.choices = choices;
        int[] bits = choices.bits();
        int quotas = choices.quotas();
        int[] widths = new int[quotas + 2];
        System.arraycopy(bits, 0, widths, 0, quotas);
        for (int g = 0; g < choices.caps(); g++) {
            widths[quotas] = Math.max(widths[quotas], bits[choices.slotsOf(g)]);
            widths[quotas + 1] = Math.max(widths[quotas + 1], bits[choices.jobsOf(g)]);
        }
        shift = new int[widths.length];
        mask = new long[widths.length];
        int next = 0;
        for (int f = 0; f < widths.length; f++) {
            shift[f] = next;
            mask[f] = (1L << widths[f]) - 1;
            next += widths[f];
        }
        if (next > BITS) {
            throw new IllegalArgumentException("the uses take %d bits, more than %d".formatted(next, BITS));
        }
    }

    /** What alternative {@code a} takes of quotas. */
    long ofQuotas(int a) {
        int q = choices.quota(a);
        return q < 0 ? 0 : (long) choices.slots(a) << shift[q];
    }

    /** What alternative {@code a} of job {@code j} takes of the cap of its job. */
    long ofCap(int j, int a) {
        return choices.cap(j) < 0 || choices.slots(a) == 0
                ? 0
                : ((long) choices.slots(a) << shift[choices.quotas()]) + (1L << shift[choices.quotas() + 1]);
    }

    /** What {@code state} uses of {@code limit}: a quota, or a limit of the cap whose jobs are being decided. */
    int used(long state, int limit) {
        int field = limit < choices.quotas() ? limit : choices.quotas() + (limit - choices.quotas()) % 2;
        return (int) (state >>> shift[field] & mask[field]);
    }

    /** {@code state} without what it uses of a cap. */
    long withoutCap(long state) {
        int slots = choices.quotas();
        return state & ~(mask[slots] << shift[slots]) & ~(mask[slots + 1] << shift[slots + 1]);
    }
}
