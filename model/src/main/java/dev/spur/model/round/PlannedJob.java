package dev.spur.model.round;

import dev.spur.model.allocation.Allocation;

/**
 * A job that runs in a plan.
 *
 * @param jobId the job
 * @param allocation its allocation
 * @param change difference from its previous allocation
 * @param goodput its goodput, effective samples per second
 * @param utility contribution to the objective value of the plan, restart penalty included
 * @param message reason for this configuration, one sentence for users
 */
public record PlannedJob(
        String jobId, Allocation allocation, ChangeKind change, double goodput, double utility, String message) {}
