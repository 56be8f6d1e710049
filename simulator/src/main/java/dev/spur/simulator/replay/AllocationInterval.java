package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;

/**
 * A time in which a job held one allocation.
 *
 * @param jobId the job
 * @param start when it got it, seconds since the start of the trace
 * @param end when it lost it
 * @param allocation what it held
 */
public record AllocationInterval(String jobId, double start, double end, Allocation allocation) {}
