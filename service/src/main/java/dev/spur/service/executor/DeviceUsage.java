package dev.spur.service.executor;

import org.jspecify.annotations.Nullable;

/**
 * Use of a device at the last heartbeat of its executor.
 *
 * @param utilization share of time in use, from 0 to 1; null if unknown
 * @param memoryUsedMiB memory in use, MiB; null if unknown
 * @param powerWatts power, W; null if unknown
 */
record DeviceUsage(
        String uuid,
        @Nullable Double utilization,
        @Nullable Double memoryUsedMiB,
        @Nullable Double powerWatts) {
    boolean isKnown() {
        return utilization != null || memoryUsedMiB != null || powerWatts != null;
    }
}
