package dev.spur.service.executor;

import dev.spur.service.aggregation.CountsReport;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat.
 *
 * @param registrationEpoch number of the registration
 * @param observedRevision content of assignments that the executor acts on
 * @param devices how its devices do
 * @param running what it runs
 * @param brokenAggregators aggregators that ended by themselves
 * @param aggregators what those that run have done
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
     * An aggregator that ended by itself.
     *
     * @param number which of the aggregators of the node
     * @param port where it was to listen
     */
    record BrokenAggregator(int number, int port) {}

    /**
     * How a device does.
     *
     * @param uuid its id
     * @param healthy false if jobs should not use it
     * @param utilization share of time in use
     * @param memoryUsedMiB memory in use
     */
    record DeviceStatus(
            String uuid,
            boolean healthy,
            @Nullable Double utilization,
            @Nullable Double memoryUsedMiB) {}

    /** Ids of the devices that do badly. */
    List<String> unhealthy() {
        return ids(device -> !device.healthy());
    }

    /** Ids of the devices that do well. */
    List<String> healthy() {
        return ids(DeviceStatus::healthy);
    }

    private List<String> ids(Predicate<DeviceStatus> which) {
        return devices.stream().filter(which).map(DeviceStatus::uuid).toList();
    }
}
