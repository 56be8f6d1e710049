package dev.spur.service.executor;

import dev.spur.model.Seconds;
import dev.spur.model.cluster.NodeState;
import dev.spur.service.aggregation.AggregatorStore;
import dev.spur.service.aggregation.LoadLearning;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.trigger.RoundTrigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Registers executors, renews their leases and deletes them. Each method is one transaction that has locked the
 * executor.
 */
@Component
class RegistrationService {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationService.class);
    /** Maximum number of devices in an error message. */
    private static final int SHOWN = 4;

    private final ExecutorStore executors;
    private final ReportLocks locks;
    private final NodeRegistration nodes;
    private final AssignmentReconciler rollCall;
    private final AggregatorStore aggregators;
    private final LoadLearning loads;
    private final DeviceHealthStore health;
    private final ExecutorExpiry losses;
    private final ExecutorProperties properties;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    RegistrationService(
            ExecutorStore executors,
            ReportLocks locks,
            NodeRegistration nodes,
            AssignmentReconciler rollCall,
            AggregatorStore aggregators,
            LoadLearning loads,
            DeviceHealthStore health,
            ExecutorExpiry losses,
            ExecutorProperties properties,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.executors = executors;
        this.locks = locks;
        this.nodes = nodes;
        this.rollCall = rollCall;
        this.aggregators = aggregators;
        this.loads = loads;
        this.health = health;
        this.losses = losses;
        this.properties = properties;
        this.trigger = trigger;
        this.trail = trail;
    }

    /** Response to a registration. Members as in the contract. */
    record RegistrationReply(
            String executorId,
            long registrationEpoch,
            double leaseTtlSeconds,
            double leaseGraceSeconds,
            double heartbeatSeconds,
            double pollHoldSeconds,
            NodeState nodeState,
            List<String> confirmed,
            List<StopOrder> stop) {}

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
        Optional<StoredExecutor> before = executors.lock(id).map(this::settled);
        before.ifPresent(known -> demandSameOrLost(known, registration.instance()));
        requireNoDeviceElsewhere(executors.elsewhere(id, registration.universalIds()));
        long registrationEpoch = executors.register(
                new ExecutorStore.ExecutorRegistration(
                        id,
                        registration.instance(),
                        registration.version(),
                        Optional.ofNullable(registration.address()).orElse(id),
                        registration.uuids()),
                Seconds.of(properties.lease()),
                Seconds.of(properties.grace()));
        AssignmentReconciler.Result calls = rollCall.onRegistration(id, registration.running(), registration.uuids());
        @Nullable NodeState beforeLoss = before.map(StoredExecutor::nodeState).orElse(null);
        NodeState node = nodes.enter(id, registration, beforeLoss);
        trail.changed(
                "executor",
                id,
                before.map(known -> Map.of("registrationEpoch", known.registrationEpoch()))
                        .orElse(null),
                Map.of("registrationEpoch", registrationEpoch));
        trigger.changed("executor registered");
        return registered(id, registrationEpoch, node, calls);
    }

    /** Marks the executor as lost if it is overdue, whether or not the periodic check has run. */
    private StoredExecutor settled(StoredExecutor executor) {
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

    private RegistrationReply registered(
            String id, long registrationEpoch, NodeState node, AssignmentReconciler.Result calls) {
        return new RegistrationReply(
                id,
                registrationEpoch,
                Seconds.of(properties.lease()),
                Seconds.of(properties.grace()),
                Seconds.of(properties.heartbeatInterval()),
                ExecutorProperties.POLL_HOLD_SECONDS,
                node,
                calls.confirmed(),
                calls.stop());
    }

    /** The lease, and the assignments to stop. Members as in the contract. */
    record LeaseTerms(
            double leaseTtlSeconds, double leaseGraceSeconds, double heartbeatSeconds, List<StopOrder> stop) {}

    /**
     * Applies a heartbeat.
     *
     * @throws ProblemException 404 if the executor does not exist, 409 if the registrationEpoch is outdated
     */
    @Transactional
    LeaseTerms renew(String id, Heartbeat status) {
        ReportLocks.HeartbeatRows about = locks.ofHeartbeat(id);
        StoredExecutor executor = EpochGuard.requireCurrent(about.executor(), id, status.registrationEpoch());
        executors.renew(
                id,
                status.observedRevision(),
                status.unhealthy(),
                Seconds.of(properties.lease()),
                Seconds.of(properties.grace()));
        noteHealth(id, status);
        status.brokenAggregators().forEach(broken -> aggregators.move(id, broken.number(), broken.port()));
        loads.take(id, status.aggregators());
        return new LeaseTerms(
                Seconds.of(properties.lease()),
                Seconds.of(properties.grace()),
                Seconds.of(properties.heartbeatInterval()),
                rollCall.onHeartbeat(executor, about.live(), status.running()));
    }

    /** Triggers an early round if devices have become unhealthy. */
    private void noteHealth(String id, Heartbeat status) {
        if (health.unhealthy(id, status.unhealthy()) > 0) {
            LOG.warn("unhealthy devices of node {} are quarantined: {}", id, status.unhealthy());
            trigger.changed("devices became unhealthy");
        }
        health.healthy(id, status.healthy(), Seconds.of(properties.recovery()), Seconds.of(properties.maxRecovery()));
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
                    List.of(FieldError.of(
                            "the executor holds devices of %d assignments".formatted(executor.holding()))));
        }
        losses.leave(executor);
        executors.delete(id);
        trail.changed("executor", id, Map.of("registrationEpoch", executor.registrationEpoch()), null);
    }
}
