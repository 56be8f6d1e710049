package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/** Runs one method repeatedly on one round. */
public final class MeasurementRunner {
    private MeasurementRunner() {}

    /**
     * Measures {@code policy} on {@code problem}.
     *
     * @param runs number of runs, at least 1
     * @throws IllegalStateException if the plan validator rejects a plan
     */
    public static Measurement of(String method, Policy policy, RoundProblem problem, int runs) {
        List<Double> seconds = new ArrayList<>();
        long peak = 0;
        double judging = 0;
        RoundPlan plan = null;
        for (int run = 0; run < runs || plan == null; run++) {
            plan = null; // memory of the previous run must not count
            PeakMemory.reset();
            long start = System.nanoTime();
            plan = policy.plan(problem);
            long planned = System.nanoTime();
            List<Violation> violations = PlanCheck.violations(problem, plan);
            long validated = System.nanoTime();
            seconds.add((validated - start) / 1e9);
            judging = (validated - planned) / 1e9;
            peak = Math.max(peak, PeakMemory.mib());
            if (!violations.isEmpty()) {
                throw new IllegalStateException("The plan validator rejects the plan of %s: %s"
                        .formatted(method, violations.subList(0, Math.min(3, violations.size()))));
            }
        }
        return new Measurement(method, median(seconds), judging, peak, plan);
    }

    /** Returns the median; for an even number of values, the mean of the two in the middle. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
