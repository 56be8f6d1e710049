package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.cluster.NodeState;
import dev.spur.service.executors.Heartbeat.DeviceUsage;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemException.Action;
import dev.spur.service.web.contract.ProblemType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executor.
 *
 * @param id id, the name of its node
 * @param instance id of the process, which differs between executors of the same name
 * @param address address at which other nodes reach it
 * @param startRefusal reason why it starts no processes, by its last heartbeat; null if it starts them
 * @param hostEnforcement how it limits CPUs and memory of jobs, as in the contract
 * @param observedRevision last revision of the assignments that it has confirmed
 * @param nodeState state of its node before the node was marked as lost with it
 * @param leaseHolds true if the lease has not ended, by the clock of the database
 * @param overdue true if the grace period has ended, too
 * @param secondsToReclaim time until the end of the grace period
 * @param holding number of assignments that hold devices
 */
record StoredExecutor(
        String id,
        @JsonIgnore String instance,
        long registrationEpoch,
        @JsonIgnore boolean lost,
        @Nullable String version,
        String address,
        @JsonIgnore List<String> devices,
        @JsonProperty("unhealthyDevices") List<String> unhealthy,
        @JsonProperty("deviceUsage") List<DeviceUsage> usage,
        @Nullable String startRefusal,
        String hostEnforcement,
        Instant registeredAt,
        Instant seenAt,
        Instant leaseUntil,
        @Nullable Long observedRevision,
        @JsonIgnore @Nullable NodeState nodeState,
        @JsonIgnore boolean leaseHolds,
        @JsonIgnore boolean overdue,
        @JsonIgnore double secondsToReclaim,
        int holding) {
    public StoredExecutor {
        devices = List.copyOf(devices);
        unhealthy = List.copyOf(unhealthy);
        usage = List.copyOf(usage);
    }

    /** Requires that the executor exists. */
    static StoredExecutor requireKnown(Optional<StoredExecutor> executor, String id) {
        return executor.orElseThrow(
                () -> ProblemException.notFound("executor", id).withAction(Action.REGISTER));
    }

    /**
     * Requires that {@code registrationEpoch} is the current one and that the executor is not lost. Otherwise, the
     * executor must register again.
     */
    static StoredExecutor requireCurrent(Optional<StoredExecutor> executor, String id, long registrationEpoch) {
        StoredExecutor known = requireKnown(executor, id);
        if (known.lost() || known.overdue()) {
            throw stale("The lease of the executor has expired, and it was marked as lost.");
        }
        if (known.registrationEpoch() != registrationEpoch) {
            throw stale("The registration epoch of the executor is %d, the report carries %d."
                    .formatted(known.registrationEpoch(), registrationEpoch));
        }
        return known;
    }

    private static ProblemException stale(String why) {
        return ProblemException.of(ProblemType.STALE_REGISTRATION, why).withAction(Action.REGISTER);
    }
}
