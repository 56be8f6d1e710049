package dev.spur.service.executors;

import dev.spur.service.executors.AssignmentReconciler.RunningAssignment;
import dev.spur.service.jobs.learning.CountsReport;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat. Members as in the contract.
 *
 * @param startRefusal reason why the executor starts no processes; null if it starts them
 */
record Heartbeat(
        long registrationEpoch,
        @Nullable Long observedRevision,
        List<DeviceStatus> devices,
        List<RunningAssignment> running,
        List<BrokenAggregator> brokenAggregators,
        List<CountsReport> aggregators,
        @Nullable String startRefusal) {
    Heartbeat {
        devices = List.copyOf(devices);
        running = List.copyOf(running);
        brokenAggregators = List.copyOf(brokenAggregators);
        aggregators = List.copyOf(aggregators);
    }

    /** An aggregator that exited unexpectedly. Members as in the contract. */
    record BrokenAggregator(int number, int port) {}

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

    /** Health and use of a device. Members as in the contract. */
    record DeviceStatus(
            String uuid,
            boolean healthy,
            @Nullable Double utilization,
            @Nullable Double memoryUsedMiB,
            @Nullable Double powerWatts) {}

    /** Ids of the unhealthy devices. */
    List<String> unhealthy() {
        return ids(device -> !device.healthy());
    }

    /** Ids of the healthy devices. */
    List<String> healthy() {
        return ids(DeviceStatus::healthy);
    }

    /** Use of the devices for which the executor reports any. */
    List<DeviceUsage> usage() {
        return devices.stream()
                .map(device -> new DeviceUsage(
                        device.uuid(), device.utilization(), device.memoryUsedMiB(), device.powerWatts()))
                .filter(DeviceUsage::isKnown)
                .toList();
    }

    private List<String> ids(Predicate<DeviceStatus> which) {
        return devices.stream().filter(which).map(DeviceStatus::uuid).toList();
    }
}
