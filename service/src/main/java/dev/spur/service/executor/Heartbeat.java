package dev.spur.service.executor;

import dev.spur.service.aggregation.CountsReport;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat.
 *
 * @param observedRevision revision of the desired state that the executor applies
 * @param devices health of its devices
 * @param running assignments that it runs
 * @param brokenAggregators aggregators that exited unexpectedly
 * @param aggregators statistics of the running aggregators
 */
record Heartbeat(
        long registrationEpoch,
        @Nullable Long observedRevision,
        List<DeviceStatus> devices,
        List<RunningAssignment> running,
        List<BrokenAggregator> brokenAggregators,
        List<CountsReport> aggregators) {
    Heartbeat {
        devices = List.copyOf(devices);
        running = List.copyOf(running);
        brokenAggregators = List.copyOf(brokenAggregators);
        aggregators = List.copyOf(aggregators);
    }

    /**
     * An aggregator that exited unexpectedly.
     *
     * @param number its number on the node
     * @param port port on which it should listen
     */
    record BrokenAggregator(int number, int port) {}

    /**
     * Health and use of a device.
     *
     * @param healthy false if jobs must not use it
     * @param utilization share of time in use
     * @param memoryUsedMiB memory in use
     */
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
