package dev.spur.solver.policy;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.StepTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Times the steps of a round. A step that runs several times counts with the sum. */
final class Steps {
    private final long start = System.nanoTime();
    private final Map<String, Long> nanos = new LinkedHashMap<>();

    <T> T time(String step, Supplier<T> work) {
        long before = System.nanoTime();
        try {
            return work.get();
        } finally {
            nanos.merge(step, System.nanoTime() - before, Long::sum);
        }
    }

    /** Seconds since the round began. */
    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** The plan that {@code writer} writes, with all times, its own included. */
    RoundPlan finish(PlanWriter writer) {
        RoundPlan plan = time("explain", writer::write);
        List<StepTime> times = new ArrayList<>();
        nanos.forEach((step, sum) -> times.add(new StepTime(step, sum / 1e6)));
        return writer.withTimes(plan, times);
    }
}
