package dev.spur.model.round;

import dev.spur.model.dataprep.PreparationAllocation;

/**
 * A preparation that runs in a plan.
 *
 * @param jobId the data preparation
 * @param grant its allocation
 * @param slowDown run time as a multiple of that with the whole working set in the memory of its node, at least 1
 * @param utility contribution to the objective value of all preparations
 * @param message reason for this allocation, one sentence for users
 */
public record PlannedPreparation(
        String jobId, PreparationAllocation grant, double slowDown, double utility, String message) {}
