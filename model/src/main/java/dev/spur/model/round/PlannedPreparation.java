package dev.spur.model.round;

import dev.spur.model.preparation.Grant;

/**
 * A preparation that runs by a plan.
 *
 * @param jobId the preparation
 * @param grant what it holds
 * @param slowDown time that it takes there, as a multiple of that with the whole working set in the memory of its node, at least 1
 * @param worth its part of the worth of all preparations
 * @param sentence why it runs so, for people
 */
public record PlannedPreparation(String jobId, Grant grant, double slowDown, double worth, String sentence) {}
