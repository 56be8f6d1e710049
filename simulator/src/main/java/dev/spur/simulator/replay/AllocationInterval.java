package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;

/**
 * Interval in which a job held one allocation.
 *
 * @param jobId id of the job
 * @param start start of the allocation, seconds since the start of the trace
 * @param end end of the allocation, seconds since the start of the trace
 * @param allocation allocation of the job
 */
public record AllocationInterval(String jobId, double start, double end, Allocation allocation) {}
