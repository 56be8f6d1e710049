package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.service.cluster.DeviceHealthStore.QuarantinedDevice;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.StoredAssignment;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An executor as the API returns it; lists omit its assignments. Members as in the contract. */
record ExecutorView(
        @JsonUnwrapped StoredExecutor executor,
        String state,
        int devices,
        List<QuarantinedDevice> quarantined,
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
                    assignment.shouldRun() ? "RUN" : "STOP",
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
                executor,
                executor.lost() ? "LOST" : "ALIVE",
                executor.devices().size(),
                quarantined,
                assignments == null
                        ? null
                        : assignments.stream().map(Observed::of).toList());
    }
}
