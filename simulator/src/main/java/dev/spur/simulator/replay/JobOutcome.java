package dev.spur.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * What became of a job. Times are seconds since the start of the trace.
 *
 * @param id the job
 * @param arrival when it was submitted
 * @param firstStart when it first got slots; null if never
 * @param end when it was done; null if never
 * @param restarts starts after the first one
 * @param slotSeconds slots held over time
 * @param usefulSlotSeconds slots over time that the work done would have taken on the fewest slots of the types it ran
 *     on, each start and all lost work left out
 * @param lostSamples effective samples that failures of nodes undid
 * @param fairness finish-time fairness: its completion time over its time alone (see the job of the trace) times max(1,
 *     mean number of active jobs in its life * slots asked for / slots of the cluster), which is the time with an equal
 *     private share. Source: Mahajan et al., Themis, NSDI '20, with the share averaged over the job's life. Null if it
 *     never ended
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
