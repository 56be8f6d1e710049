package dev.spur.service.outcomes;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Utilization and queue over time, in steps of equal length. Each number is a mean over its step; the last step may be
 * shorter. Members as in the contract.
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

    /** Slots of one type. Members as in the contract. */
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
