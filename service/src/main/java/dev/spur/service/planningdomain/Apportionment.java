package dev.spur.service.planningdomain;

import java.util.Arrays;
import java.util.List;

/** Divides a number among several parties, by one need after the other. */
final class Apportionment {
    private Apportionment() {}

    /**
     * Whole numbers that add up to {@code total}.
     *
     * @param total at least 0
     * @param needs what each party needs, each at least 0; the first ones are met before the next ones, and where not
     *     all of one can be met, each party gets a part in proportion
     * @param weights what is left is divided in proportion to them, or evenly if all are 0
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

    /** The largest remainders are rounded up, of equal ones the first. */
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
            int most = 0;
            for (int i = 1; i < weights.length; i++) {
                most = exact[i] - given[i] > exact[most] - given[most] ? i : most;
            }
            given[most]++;
        }
        return given;
    }
}
