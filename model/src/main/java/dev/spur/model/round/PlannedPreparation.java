package dev.spur.model.round;

import dev.spur.model.dataprep.PreparationAllocation;

/**
 * A preparation that runs by a plan.
 *
 * @param preparationId the data-preparation job
 * @param grant what it holds
 * @param slowDown time that it takes there, as a multiple of that with the whole working set in the memory of its node,
 *     at least 1
 * @param utility contribution to the objective value of all preparations
 * @param message why it runs so, for people
 */
public record PlannedPreparation(
        String preparationId, PreparationAllocation grant, double slowDown, double utility, String message) {}
