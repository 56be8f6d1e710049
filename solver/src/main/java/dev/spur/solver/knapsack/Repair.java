package dev.spur.solver.knapsack;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Greedy repair: a feasible decision near the preferred alternatives. Jobs with the least loss per excess slot change
 * first.
 */
final class Repair {
    private final KnapsackInstance instance;
    private final Relaxation relaxation;
    private final int[] alternatives;
    private final int[] used;

    private Repair(KnapsackInstance instance, Relaxation relaxation) {
        this.instance = instance;
        this.relaxation = relaxation;
        this.alternatives =
                IntStream.range(0, instance.jobs()).map(relaxation::favourite).toArray();
        this.used = instance.useOf(alternatives);
    }

    /** Returns by job its alternative; null if changes of single jobs do not suffice. */
    static int @Nullable [] of(KnapsackInstance instance, Relaxation relaxation) {
        Repair repair = new Repair(instance, relaxation);
        for (int q = 0; q < instance.limits(); q++) {
            while (repair.used[q] > instance.max(q)) {
                if (!repair.giveWay(q)) {
                    return null;
                }
            }
        }
        return repair.alternatives;
    }

    private boolean giveWay(int q) {
        int over = used[q] - instance.max(q);
        int best = -1;
        int job = -1;
        double min = Double.POSITIVE_INFINITY;
        for (int j = 0; j < alternatives.length; j++) {
            int held = instance.use(j, alternatives[j], q);
            for (int a = instance.first(j); held > 0 && a < instance.end(j); a++) {
                int freed = Math.min(over, held - instance.use(j, a, q));
                if (freed > 0 && fits(j, a, q)) {
                    double price = (relaxation.loss(a) - relaxation.loss(alternatives[j])) / freed;
                    if (price < min) {
                        min = price;
                        best = a;
                        job = j;
                    }
                }
            }
        }
        if (best < 0) {
            return false;
        }
        instance.addUse(job, alternatives[job], -1, used);
        instance.addUse(job, best, 1, used);
        alternatives[job] = best;
        return true;
    }

    /**
     * Returns whether job {@code j} can take {@code a} instead of its alternative without more use of an exhausted
     * limit.
     */
    private boolean fits(int j, int a, int giving) {
        return fits(j, a, instance.quota(a), giving)
                && (instance.cap(j) < 0
                        || (fits(j, a, instance.slotsOf(instance.cap(j)), giving)
                                && fits(j, a, instance.jobsOf(instance.cap(j)), giving)));
    }

    private boolean fits(int j, int a, int limit, int giving) {
        if (limit < 0 || limit == giving) {
            return true;
        }
        int more = instance.use(j, a, limit) - instance.use(j, alternatives[j], limit);
        return more <= 0 || used[limit] + more <= instance.max(limit);
    }
}
