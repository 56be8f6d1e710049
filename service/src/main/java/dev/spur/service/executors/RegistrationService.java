package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.Seconds;
import dev.spur.model.cluster.NodeState;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.executors.HeartbeatService.LeaseTerms;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Registers and deletes executors. Each method is one transaction that has locked the executor. */
@Component
class RegistrationService {
    /** Maximum number of devices in an error message. */
    private static final int SHOWN = 4;

    private final ExecutorStore executors;
    private final NodeRegistration nodes;
    private final AssignmentReconciler reconciler;
    private final ExecutorExpiry losses;
    private final ExecutorProperties properties;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    RegistrationService(
            ExecutorStore executors,
            NodeRegistration nodes,
            AssignmentReconciler reconciler,
            ExecutorExpiry losses,
            ExecutorProperties properties,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.executors = executors;
        this.nodes = nodes;
        this.reconciler = reconciler;
        this.losses = losses;
        this.properties = properties;
        this.trigger = trigger;
        this.trail = trail;
    }

    /** Response to a registration. Members as in the contract. */
    record RegistrationReply(
            String executorId,
            long registrationEpoch,
            @JsonUnwrapped LeaseTerms terms,
            double pollHoldSeconds,
            NodeState nodeState,
            List<String> confirmed) {}

    /**
     * Registers an executor, new or again.
     *
     * @throws ProblemException 404 or 422 if its node may not be registered; 409 while another instance, or another
     *     executor with one of the devices, holds a lease
     */
    @Transactional
    RegistrationReply register(String id, Registration registration) {
        registration.requireConsistentDevices();
        executors.queueUp(id);
        Optional<StoredExecutor> before = executors.lock(id).map(this::expireIfOverdue);
        before.ifPresent(known -> demandSameOrLost(known, registration.instance()));
        requireNoDeviceElsewhere(executors.conflicts(id, registration.universalIds()));
        long registrationEpoch =
                executors.register(id, registration, Seconds.of(properties.lease()), Seconds.of(properties.grace()));
        AssignmentReconciler.Result calls = reconciler.onRegistration(id, registration.running(), registration.uuids());
        @Nullable NodeState beforeLoss = before.map(StoredExecutor::nodeState).orElse(null);
        NodeState node = nodes.enter(id, registration, beforeLoss);
        trail.recordChange(
                "executor",
                id,
                before.map(known -> Map.of("registrationEpoch", known.registrationEpoch()))
                        .orElse(null),
                Map.of("registrationEpoch", registrationEpoch));
        trigger.requestRound("executor registered");
        return new RegistrationReply(
                id,
                registrationEpoch,
                LeaseTerms.of(properties, calls.stop()),
                ExecutorProperties.POLL_HOLD_SECONDS,
                node,
                calls.confirmed());
    }

    /** Marks the executor as lost if it is overdue, whether or not the periodic check has run. */
    private StoredExecutor expireIfOverdue(StoredExecutor executor) {
        if (executor.lost() || !executor.overdue()) {
            return executor;
        }
        losses.declare(executor);
        return executors.lock(executor.id()).orElseThrow();
    }

    private static void demandSameOrLost(StoredExecutor known, String instance) {
        if (!known.lost() && !known.instance().equals(instance)) {
            long seconds = (long) Math.ceil(known.secondsToReclaim());
            throw ProblemException.of(
                            ProblemType.CONFLICT,
                            "Another instance holds the lease of node %s for %d s more.".formatted(known.id(), seconds))
                    .withHeader("Retry-After", Long.toString(Math.max(1, seconds)));
        }
    }

    /** Rejects devices that another node has registered, because rounds would plan them twice. */
    private static void requireNoDeviceElsewhere(List<ExecutorStore.DeviceConflict> found) {
        if (!found.isEmpty()) {
            String devices = found.stream()
                    .limit(SHOWN)
                    .map(each -> "%s of node %s".formatted(each.device(), each.executor()))
                    .collect(Collectors.joining(", "));
            double seconds = found.stream()
                    .mapToDouble(ExecutorStore.DeviceConflict::secondsToReclaim)
                    .max()
                    .orElseThrow();
            long retry = Math.max(1, (long) Math.ceil(seconds));
            throw ProblemException.of(
                            ProblemType.CONFLICT,
                            "Other executors have registered these devices: %s%s. Stop the agent of the other node and delete its executor, or wait until it is lost."
                                    .formatted(devices, found.size() > SHOWN ? ", …" : ""))
                    .withHeader("Retry-After", Long.toString(retry));
        }
    }

    /**
     * Deletes an executor.
     *
     * @throws ProblemException 404 if it does not exist, 409 while it holds devices
     */
    @Transactional
    void delete(String id) {
        StoredExecutor executor = executors.lock(id).orElseThrow(() -> ProblemException.notFound("executor", id));
        if (!executor.lost() && executor.holding() > 0) {
            throw ProblemException.of(
                    ProblemType.IN_USE,
                    List.of(FieldError.of("the executor holds devices of %d %s"
                            .formatted(executor.holding(), executor.holding() == 1 ? "assignment" : "assignments"))));
        }
        losses.leave(executor);
        executors.delete(id);
        trail.recordChange("executor", id, Map.of("registrationEpoch", executor.registrationEpoch()), null);
    }
}
