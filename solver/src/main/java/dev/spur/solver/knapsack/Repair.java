package dev.spur.solver.knapsack;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A decision near the favourites that keeps to the quotas: jobs give way, those first who lose least for each slot too many. */
final class Repair {
    private final Choices choices;
    private final Relaxation relaxation;
    private final int[] ways;
    private final int[] used;

    private Repair(Choices choices, Relaxation relaxation) {
        this.choices = choices;
        this.relaxation = relaxation;
        this.ways =
                IntStream.range(0, choices.jobs()).map(relaxation::favourite).toArray();
        this.used = new int[choices.quotas()];
        for (int a : ways) {
            count(a, 1);
        }
    }

    /** By job its alternative; null if jobs cannot give way enough one by one. */
    static int @Nullable [] of(Choices choices, Relaxation relaxation) {
        Repair repair = new Repair(choices, relaxation);
        for (int q = 0; q < choices.quotas(); q++) {
            while (repair.used[q] > choices.most(q)) {
                if (!repair.giveWay(q)) {
                    return null;
                }
            }
        }
        return repair.ways;
    }

    private boolean giveWay(int q) {
        int over = used[q] - choices.most(q);
        int best = -1;
        int who = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < ways.length; j++) {
            int held = choices.slots(ways[j], q);
            for (int a = choices.first(j); held > 0 && a < choices.end(j); a++) {
                int freed = Math.min(over, held - choices.slots(a, q));
                if (freed > 0 && fits(a, q)) {
                    double price = (relaxation.loss(a) - relaxation.loss(ways[j])) / freed;
                    if (price < least) {
                        least = price;
                        best = a;
                        who = j;
                    }
                }
            }
        }
        if (best < 0) {
            return false;
        }
        count(ways[who], -1);
        count(best, 1);
        ways[who] = best;
        return true;
    }

    /** True if alternative {@code a} takes slots of quota {@code q}, of none, or of one that has them left. */
    private boolean fits(int a, int q) {
        int other = choices.quota(a);
        return other < 0 || other == q || used[other] + choices.slots(a) <= choices.most(other);
    }

    private void count(int a, int sign) {
        if (choices.quota(a) >= 0) {
            used[choices.quota(a)] += sign * choices.slots(a);
        }
    }
}
