package dev.spur.solver.candidate;

import dev.spur.model.job.JobSpec;
import java.util.List;
import java.util.TreeSet;

/** Numbers of aggregation slots that a job is offered on devices of one type. Not thread-safe. */
final class AggregationSteps {
    /** Maximum number of whole aggregation slots that are all offered; beyond it only the measured ones. */
    private static final int MAX_STEPS = 32;

    private final JobSpec spec;
    private final String type;
    /** Aggregation slots of which {@link #steps} are offered; most numbers of slots leave equally many. */
    private double stepsAvailable = Double.NaN;

    private double[] steps = {};

    /** @param spec specification of a job that may use parameter servers */
    AggregationSteps(JobSpec spec, String type) {
        this.spec = spec;
        this.type = type;
    }

    /** Returns the numbers in ascending order where the pool has {@code available}; not to be changed. */
    double[] of(double available) {
        if (available != stepsAvailable) {
            stepsAvailable = available;
            steps = find(available);
        }
        return steps;
    }

    private double[] find(double available) {
        double low = spec.synchronization().minAggregationSlots();
        double high = Math.min(spec.synchronization().maxAggregationSlots(), available);
        TreeSet<Double> found = new TreeSet<>(List.of(low, high));
        for (double measured : spec.profile().aggregationSlots(type)) {
            found.add(measured);
        }
        if (high - low <= MAX_STEPS) {
            for (double whole = Math.ceil(low); whole <= high; whole++) {
                found.add(whole);
            }
        }
        return found.stream()
                .mapToDouble(Double::doubleValue)
                .filter(step -> step > 0 && step >= low && step <= high)
                .toArray();
    }
}
