package dev.spur.service.outcome;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Utilization and queue over time, in steps of equal length. Each number is a mean over its step; the last step may be
 * shorter.
 *
 * @param since start of the first step
 * @param until end of the last step
 * @param stepSeconds length of a step
 * @param times start of each step
 * @param pending training jobs without slots, between submission and end
 * @param running training jobs with slots
 * @param slots slots by accelerator type
 */
record OutcomeHistory(
        Instant since,
        Instant until,
        int stepSeconds,
        List<Instant> times,
        List<Double> pending,
        List<Double> running,
        List<SlotHistory> slots) {
    OutcomeHistory {
        times = List.copyOf(times);
        pending = List.copyOf(pending);
        running = List.copyOf(running);
        slots = List.copyOf(slots);
    }

    /**
     * Slots of one type.
     *
     * @param total slots of nodes that are not lost; null before the first record
     * @param held slots that jobs held
     * @param useful held slots of jobs that made progress in the current generation
     * @param unavailable slots of cordoned and draining nodes that no job held; null before the first record
     * @param free slots that are neither held nor unavailable; null before the first record, and for callers that do
     *     not see all jobs
     * @param gpuUtilization mean utilization of the GPUs that jobs held, from 0 to 1; null where it is not reported
     * @param gpuMemoryGiB memory in use, sum over all GPUs, GiB; null where it is not reported
     * @param powerWatts power, sum over all GPUs, W; null where it is not reported
     */
    record SlotHistory(
            String acceleratorType,
            List<@Nullable Double> total,
            List<Double> held,
            List<Double> useful,
            List<@Nullable Double> unavailable,
            List<@Nullable Double> free,
            List<@Nullable Double> gpuUtilization,
            List<@Nullable Double> gpuMemoryGiB,
            List<@Nullable Double> powerWatts) {}
}
