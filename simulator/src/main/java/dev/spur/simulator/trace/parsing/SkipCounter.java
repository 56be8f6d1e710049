package dev.spur.simulator.trace.parsing;

import java.util.Map;
import java.util.TreeMap;

/** Counter of skipped rows by reason. */
public final class SkipCounter {
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Counts a row that is skipped for {@code reason}. */
    public void add(String reason) {
        counts.merge(reason, 1, Integer::sum);
    }

    /** Returns the number of skipped rows by reason; reasons without rows are absent. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }
}
