package dev.spur.service.jobs;

import dev.spur.model.job.ChangeMechanism;

/**
 * A change within a generation, or the move that began it, as a training measured it.
 *
 * @param number number of the change in its generation, from 1
 * @param kind RECONFIGURE, RESCALE or MIGRATE
 * @param stallSeconds seconds from the last step before the change to the first step after it
 */
public record MeasuredChange(int number, ChangeMechanism kind, double stallSeconds) {}
