package dev.spur.policies.elastic;

import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;

/** What elastic policies ask of a job. */
public final class ElasticScaling {
    private ElasticScaling() {}

    /** The next count above what it has on which job {@code j} is faster; 0 if there is none. */
    public static int nextFaster(RoundView snapshot, int j, NodePartition lane, int slots) {
        double now = snapshot.goodput(j, lane, slots);
        int next = snapshot.next(j, lane, slots);
        while (next > 0 && snapshot.goodput(j, lane, next) <= now) {
            next = snapshot.next(j, lane, next);
        }
        return next;
    }

    /** Goodput relative to that on one slot; where it does not run on one, its fewest slots give as much for each. */
    public static double normalized(RoundView snapshot, int j, NodePartition lane, int slots) {
        double one = snapshot.goodput(j, lane, 1);
        if (one == 0) {
            int fewest = snapshot.next(j, lane, 0);
            one = fewest == 0 ? 0 : snapshot.goodput(j, lane, fewest) / fewest;
        }
        return one == 0 ? 0 : snapshot.goodput(j, lane, slots) / one;
    }

    /** Seconds to the end on one slot, or as if on one. */
    public static double secondsOnOneSlot(RoundView snapshot, int j, NodePartition lane) {
        int fewest = snapshot.next(j, lane, 0);
        double one = fewest == 0 ? 0 : snapshot.goodput(j, lane, fewest) / fewest;
        return one == 0 ? Double.POSITIVE_INFINITY : snapshot.job(j).remainingSamples() / one;
    }
}
