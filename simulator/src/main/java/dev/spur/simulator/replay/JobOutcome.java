package dev.spur.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * Outcome of a job. Times are seconds since the start of the trace.
 *
 * @param id id of the job
 * @param arrival submission time
 * @param firstStart first start; null if never
 * @param end completion; null if never
 * @param restarts starts after the first one
 * @param slotSeconds integral of the slots held over time
 * @param usefulSlotSeconds slot-seconds of the same work on the minimum number of slots of the types it ran on, without
 *     starts and lost work
 * @param lostSamples effective samples that node failures undid
 * @param fairness finish-time fairness: completion time / (time alone * max(1, n * requested slots / cluster slots)),
 *     with n the mean number of active jobs in the job's life. The denominator is the time with an equal private share;
 *     see the job of the trace for the time alone. Source: Mahajan et al., Themis, NSDI '20, with the share averaged
 *     over the job's life. Null if the job never ended
 */
public record JobOutcome(
        String id,
        double arrival,
        @Nullable Double firstStart,
        @Nullable Double end,
        int restarts,
        double slotSeconds,
        double usefulSlotSeconds,
        double lostSamples,
        @Nullable Double fairness) {}
