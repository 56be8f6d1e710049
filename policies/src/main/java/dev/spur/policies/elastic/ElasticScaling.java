package dev.spur.policies.elastic;

import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;

/** Scaling properties of jobs used by elastic policies. */
public final class ElasticScaling {
    private ElasticScaling() {}

    /** Returns the next slot count above {@code slots} on which job {@code j} is faster; 0 if there is none. */
    public static int nextFaster(RoundView view, int j, NodePartition partition, int slots) {
        double now = view.goodput(j, partition, slots);
        int next = view.next(j, partition, slots);
        while (next > 0 && view.goodput(j, partition, next) <= now) {
            next = view.next(j, partition, next);
        }
        return next;
    }

    /**
     * Returns goodput relative to one slot. If the job does not run on one slot, the reference is its goodput per slot
     * at its minimum.
     */
    public static double speedup(RoundView view, int j, NodePartition partition, int slots) {
        double one = view.goodput(j, partition, 1);
        if (one == 0) {
            int minimum = view.next(j, partition, 0);
            one = minimum == 0 ? 0 : view.goodput(j, partition, minimum) / minimum;
        }
        return one == 0 ? 0 : view.goodput(j, partition, slots) / one;
    }

    /** Returns the remaining seconds on one slot, extrapolated if the job does not run on one slot. */
    public static double secondsOnOneSlot(RoundView view, int j, NodePartition partition) {
        int minimum = view.next(j, partition, 0);
        double one = minimum == 0 ? 0 : view.goodput(j, partition, minimum) / minimum;
        return one == 0 ? Double.POSITIVE_INFINITY : view.job(j).remainingSamples() / one;
    }
}
