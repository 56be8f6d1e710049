package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The jobs dealt into groups, for a master with a column per group and pass. Jobs of one tenant stay together: their
 * columns then touch few quota rows, and the master converges in fewer passes than with jobs dealt at random.
 */
final class JobGroups {
    private JobGroups() {}

    /** Up to {@code most} groups of about equal size, jobs sorted by tenant and then in order. */
    static List<int[]> of(CandidateSet candidates, int most) {
        int[] order = IntStream.range(0, candidates.jobs())
                .boxed()
                .sorted(Comparator.comparing((Integer j) -> candidates.job(j).tenant()))
                .mapToInt(Integer::intValue)
                .toArray();
        int groups = Math.max(1, Math.min(most, order.length));
        List<int[]> dealt = new ArrayList<>(groups);
        for (int g = 0; g < groups; g++) {
            int from = (int) ((long) order.length * g / groups);
            int to = (int) ((long) order.length * (g + 1) / groups);
            dealt.add(Arrays.copyOfRange(order, from, to));
        }
        return dealt;
    }
}
