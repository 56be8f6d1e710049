package dev.spur.simulator.trace.parsing;

import java.util.Map;
import java.util.TreeMap;

/** Counts rows that were left out, by the reason in words. */
public final class SkipCounter {
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Counts a row that is left out for {@code reason}. */
    public void add(String reason) {
        counts.merge(reason, 1, Integer::sum);
    }

    /** How many rows were left out for each reason; without those that never occurred. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }
}
