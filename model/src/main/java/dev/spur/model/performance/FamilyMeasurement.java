package dev.spur.model.performance;

import dev.spur.model.Checks;

/**
 * A measured step of the jobs of a family in one configuration.
 *
 * @param acceleratorType type of all devices used
 * @param slots number of devices used
 * @param nodes number of nodes used, at most {@code slots}
 * @param batchSize global batch size, samples per step
 * @param accumulationSteps passes per step in addition to the first, at least 0
 * @param aggregationSlots aggregation slots used; 0 for AllReduce
 * @param stepSeconds geometric mean of the durations of a step, above 0
 * @param jobs jobs in the mean, above 0; below 1 for an uncertain measurement of one job
 */
public record FamilyMeasurement(
        String acceleratorType,
        int slots,
        int nodes,
        int batchSize,
        int accumulationSteps,
        double aggregationSlots,
        double stepSeconds,
        double jobs) {
    public FamilyMeasurement {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.atLeast("slots", slots, 1);
        Checks.require(nodes >= 1 && nodes <= slots, "nodes (%s) must be from 1 to slots (%s)", nodes, slots);
        Checks.atLeast("batchSize", batchSize, 1);
        Checks.atLeast("accumulationSteps", accumulationSteps, 0);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.positive("stepSeconds", stepSeconds);
        Checks.positive("jobs", jobs);
    }
}
