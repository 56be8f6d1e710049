package dev.spur.solver.knapsack;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Class reduction: alternatives of a job with equal slots of the same quota form one class, of which only the most
 * valuable matters.
 */
final class AlternativeReduction {
    private record Kind(int quota, int slots) {}

    private final int[] kindOf;
    private final int[] start;
    private final int[] quota;
    private final int[] slots;
    private final double[] max;
    private final int[] best;

    /** Of alternatives as {@link Knapsack} takes them. */
    AlternativeReduction(int[] starts, int[] quotas, int[] slotsTaken) {
        kindOf = new int[slotsTaken.length];
        start = new int[starts.length];
        int[] anyOf = new int[slotsTaken.length];
        int size = 0;
        for (int j = 0; j + 1 < starts.length; j++) {
            Map<Kind, Integer> known = new LinkedHashMap<>();
            for (int a = starts[j]; a < starts[j + 1]; a++) {
                kindOf[a] = size + known.size();
                Integer before = known.putIfAbsent(new Kind(quotas[a], slotsTaken[a]), kindOf[a]);
                kindOf[a] = before == null ? kindOf[a] : before;
                anyOf[kindOf[a]] = a;
            }
            size += known.size();
            start[j + 1] = size;
        }
        quota = IntStream.range(0, size).map(k -> quotas[anyOf[k]]).toArray();
        slots = IntStream.range(0, size).map(k -> slotsTaken[anyOf[k]]).toArray();
        max = new double[size];
        best = new int[size];
    }

    /** Returns the classes as alternatives of the jobs. */
    KnapsackInstance choices(List<Knapsack.Quota> quotas, List<Knapsack.Cap> caps, int[] capOf) {
        return new KnapsackInstance(quotas, caps, start, capOf, quota, slots);
    }

    /** Returns by class the value of its best alternative; not to be changed. */
    double[] max(double[] value) {
        Arrays.fill(max, Double.NEGATIVE_INFINITY);
        for (int a = 0; a < value.length; a++) {
            if (value[a] > max[kindOf[a]]) {
                max[kindOf[a]] = value[a];
                best[kindOf[a]] = a;
            }
        }
        return max;
    }

    /** Returns the best alternatives of the {@code chosen} classes at the values last passed to {@link #max}. */
    int[] best(int[] chosen) {
        return IntStream.of(chosen).map(k -> best[k]).toArray();
    }
}
