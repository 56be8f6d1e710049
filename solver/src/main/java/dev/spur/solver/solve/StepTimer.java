package dev.spur.solver.solve;

import dev.spur.model.round.StepTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Timer of the steps of a round, in the order in which they first began. A step that runs several times has the sum.
 */
public final class StepTimer {
    private final long start = System.nanoTime();
    private final Map<String, Long> nanos = new LinkedHashMap<>();

    /** Runs {@code work} as part of {@code step}. */
    public <T> T time(String step, Supplier<T> work) {
        long before = System.nanoTime();
        try {
            return work.get();
        } finally {
            nanos.merge(step, System.nanoTime() - before, Long::sum);
        }
    }

    /** Seconds since the round began. */
    public double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** The times of all steps so far. */
    public List<StepTime> times() {
        return nanos.entrySet().stream()
                .map(entry -> new StepTime(entry.getKey(), entry.getValue() / 1e6))
                .toList();
    }
}
