package dev.spur.service.planningdomain;

import java.util.Arrays;
import java.util.List;

/** Apportionment of an integer among several parties, one need after the other. */
final class Apportionment {
    private Apportionment() {}

    /**
     * Returns integers that add up to {@code total}.
     *
     * @param total at least 0
     * @param needs need of each party, each at least 0, in order of precedence; if a need cannot be met for all
     *     parties, each gets a proportional part
     * @param weights the remainder is divided in proportion to the weights, or evenly if all are 0
     */
    static long[] of(long total, List<long[]> needs, long[] weights) {
        long[] given = new long[weights.length];
        long left = total;
        for (long[] need : needs) {
            long sum = Arrays.stream(need).sum();
            long[] more = sum <= left ? need : inProportion(left, need);
            for (int i = 0; i < given.length; i++) {
                given[i] += more[i];
            }
            left -= Math.min(left, sum);
        }
        long[] rest = inProportion(left, weights);
        for (int i = 0; i < given.length; i++) {
            given[i] += rest[i];
        }
        return given;
    }

    /** Divides in proportion, by the largest-remainder method; of equal remainders, the first is rounded up. */
    private static long[] inProportion(long total, long[] weights) {
        double sum = Arrays.stream(weights).sum();
        double[] exact = new double[weights.length];
        long[] given = new long[weights.length];
        long left = total;
        for (int i = 0; i < weights.length; i++) {
            exact[i] = sum == 0 ? (double) total / weights.length : total * (weights[i] / sum);
            given[i] = (long) Math.floor(exact[i]);
            left -= given[i];
        }
        for (; left > 0; left--) {
            int max = 0;
            for (int i = 1; i < weights.length; i++) {
                max = exact[i] - given[i] > exact[max] - given[max] ? i : max;
            }
            given[max]++;
        }
        return given;
    }
}
