package dev.spur.service.executor;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.service.assignment.AssignmentState;
import dev.spur.service.assignment.StoredAssignment;
import dev.spur.service.cluster.DeviceHealthStore.QuarantinedDevice;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An executor as the API returns it; lists omit its assignments. Members as in the contract. */
record ExecutorView(
        String id,
        String state,
        long registrationEpoch,
        @Nullable String version,
        String address,
        Instant registeredAt,
        Instant seenAt,
        Instant leaseUntil,
        @Nullable Long observedRevision,
        int devices,
        List<String> unhealthyDevices,
        List<QuarantinedDevice> quarantined,
        List<DeviceUsage> deviceUsage,
        int holding,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Observed> assignments) {
    /** An assignment in its last known state. */
    record Observed(
            String assignmentId,
            String jobId,
            long generation,
            List<String> devices,
            AssignmentState state,
            String desired,
            Instant since,
            @Nullable Long pid,
            @Nullable Long exitCode,
            @Nullable String detail) {
        static Observed of(StoredAssignment assignment) {
            return new Observed(
                    assignment.key().id(),
                    assignment.key().jobId(),
                    assignment.key().generation(),
                    assignment.devices(),
                    assignment.state(),
                    assignment.wanted() ? "RUN" : "STOP",
                    assignment.changedAt(),
                    assignment.pid(),
                    assignment.exitCode(),
                    assignment.detail());
        }
    }

    static ExecutorView of(
            StoredExecutor executor,
            List<QuarantinedDevice> quarantined,
            @Nullable List<StoredAssignment> assignments) {
        return new ExecutorView(
                executor.id(),
                executor.lost() ? "LOST" : "ALIVE",
                executor.registrationEpoch(),
                executor.version(),
                executor.address(),
                executor.registeredAt(),
                executor.seenAt(),
                executor.leaseUntil(),
                executor.observedRevision(),
                executor.devices().size(),
                executor.unhealthy(),
                quarantined,
                executor.usage(),
                executor.holding(),
                assignments == null
                        ? null
                        : assignments.stream().map(Observed::of).toList());
    }
}
