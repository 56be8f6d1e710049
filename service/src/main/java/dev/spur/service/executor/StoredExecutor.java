package dev.spur.service.executor;

import dev.spur.model.cluster.NodeState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executor.
 *
 * @param id id, the name of its node
 * @param instance id of the process, which differs between executors of the same name
 * @param lost true if it is marked as lost
 * @param version version of its program
 * @param address address at which other nodes reach it
 * @param devices devices that it reported at registration
 * @param unhealthy those of {@code devices} that are unhealthy
 * @param usage use of those of {@code devices} for which it is known
 * @param registeredAt time of the registration
 * @param seenAt time of the last report
 * @param leaseUntil end of the lease
 * @param observedRevision last revision of the assignments that it has confirmed
 * @param nodeState state of its node before the node was marked as lost with it
 * @param leaseHolds true if the lease has not ended, by the clock of the database
 * @param overdue true if the grace period has ended, too
 * @param secondsToReclaim time until the end of the grace period
 * @param holding number of assignments that hold devices
 */
record StoredExecutor(
        String id,
        String instance,
        long registrationEpoch,
        boolean lost,
        @Nullable String version,
        String address,
        List<String> devices,
        List<String> unhealthy,
        List<DeviceUsage> usage,
        Instant registeredAt,
        Instant seenAt,
        Instant leaseUntil,
        @Nullable Long observedRevision,
        @Nullable NodeState nodeState,
        boolean leaseHolds,
        boolean overdue,
        double secondsToReclaim,
        int holding) {
    public StoredExecutor {
        devices = List.copyOf(devices);
        unhealthy = List.copyOf(unhealthy);
        usage = List.copyOf(usage);
    }
}
