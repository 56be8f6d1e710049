package dev.spur.service.store;

import dev.spur.model.cluster.NodeState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An executor.
 *
 * @param id its id, the name of its node
 * @param instance which of several of one name
 * @param registrationEpoch number of its registration
 * @param lost true if it was taken for lost
 * @param version version of its program
 * @param address at which other nodes reach it
 * @param devices devices that it reported when it registered
 * @param unhealthy those of them that do badly
 * @param registeredAt when it registered
 * @param seenAt when it was last heard of
 * @param leaseUntil when its lease ends
 * @param observedRevision content of assignments that it has seen
 * @param nodeState state of its node before that was taken for lost with it
 * @param leaseHolds true if the lease has not ended, by the clock of the database
 * @param overdue true if the grace has ended, too
 * @param secondsToReclaim time until then
 * @param holding assignments that hold devices
 */
public record StoredExecutor(
        String id,
        String instance,
        long registrationEpoch,
        boolean lost,
        @Nullable String version,
        String address,
        List<String> devices,
        List<String> unhealthy,
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
    }
}
