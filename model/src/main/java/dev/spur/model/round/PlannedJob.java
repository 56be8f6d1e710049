package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;

/**
 * A job that runs by a plan.
 *
 * @param jobId the job
 * @param allocation what it holds
 * @param change how that differs from what it held before
 * @param goodput useful samples per second there
 * @param utility contribution to the objective value of the plan, restart penalty included
 * @param message why it runs so, one sentence for people
 */
public record PlannedJob(
        String jobId, Allocation allocation, ChangeKind change, double goodput, double utility, String message) {}
