package dev.spur.solver.candidate;

import dev.spur.model.job.JobSpec;
import java.util.List;
import java.util.TreeSet;

/** Numbers of aggregation slots that a job is offered. */
final class AggregationSteps {
    /** Maximum number of whole aggregation slots that are all offered; beyond it only the measured ones. */
    private static final int MAX_STEPS = 32;

    private AggregationSteps() {}

    /** Returns the numbers on devices of {@code type}, in ascending order, where the pool has {@code available}. */
    static double[] of(JobSpec spec, String type, double available) {
        if (!spec.synchronization().parameterServer()) {
            return new double[0];
        }
        double low = spec.synchronization().minAggregationSlots();
        double high = Math.min(spec.synchronization().maxAggregationSlots(), available);
        TreeSet<Double> steps = new TreeSet<>(List.of(low, high));
        for (double measured : spec.profile().aggregationSlots(type)) {
            steps.add(measured);
        }
        if (high - low <= MAX_STEPS) {
            for (double whole = Math.ceil(low); whole <= high; whole++) {
                steps.add(whole);
            }
        }
        return steps.stream()
                .mapToDouble(Double::doubleValue)
                .filter(step -> step > 0 && step >= low && step <= high)
                .toArray();
    }
}
