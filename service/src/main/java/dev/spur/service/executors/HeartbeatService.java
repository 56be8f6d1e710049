package dev.spur.service.executors;

import dev.spur.model.Seconds;
import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.executors.AssignmentReconciler.StopOrder;
import dev.spur.service.jobs.learning.AggregatorStore;
import dev.spur.service.jobs.learning.LoadLearning;
import dev.spur.service.web.contract.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Renews the leases of executors, and applies what their heartbeats report. */
@Component
class HeartbeatService {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatService.class);

    private final ExecutorStore executors;
    private final ReportLocks locks;
    private final AssignmentReconciler reconciler;
    private final AggregatorStore aggregators;
    private final LoadLearning loads;
    private final DeviceHealthStore health;
    private final ExecutorProperties properties;
    private final RoundTrigger trigger;

    HeartbeatService(
            ExecutorStore executors,
            ReportLocks locks,
            AssignmentReconciler reconciler,
            AggregatorStore aggregators,
            LoadLearning loads,
            DeviceHealthStore health,
            ExecutorProperties properties,
            RoundTrigger trigger) {
        this.executors = executors;
        this.locks = locks;
        this.reconciler = reconciler;
        this.aggregators = aggregators;
        this.loads = loads;
        this.health = health;
        this.properties = properties;
        this.trigger = trigger;
    }

    /** The lease, and the assignments to stop. Members as in the contract. */
    record LeaseTerms(double leaseTtlSeconds, double leaseGraceSeconds, double heartbeatSeconds, List<StopOrder> stop) {
        static LeaseTerms of(ExecutorProperties properties, List<StopOrder> stop) {
            return new LeaseTerms(
                    Seconds.of(properties.lease()),
                    Seconds.of(properties.grace()),
                    Seconds.of(properties.heartbeatInterval()),
                    stop);
        }
    }

    /**
     * Applies a heartbeat.
     *
     * @throws ProblemException 404 if the executor does not exist, 409 if the registration epoch is outdated
     */
    @Transactional
    LeaseTerms renew(String id, Heartbeat status) {
        ReportLocks.HeartbeatRows about = locks.ofHeartbeat(id);
        StoredExecutor executor = StoredExecutor.requireCurrent(about.executor(), id, status.registrationEpoch());
        executors.renew(id, status, Seconds.of(properties.lease()), Seconds.of(properties.grace()));
        noteRefusal(executor, status.startRefusal());
        noteHealth(id, status, about.hadFailures());
        status.brokenAggregators().forEach(broken -> aggregators.move(id, broken.number(), broken.port()));
        loads.take(id, status.aggregators());
        return LeaseTerms.of(properties, reconciler.onHeartbeat(executor, about.live(), status.running()));
    }

    /** Triggers an early round if the executor begins or ends to reject starts. */
    private void noteRefusal(StoredExecutor executor, @Nullable String refusal) {
        boolean rejected = executor.startRefusal() != null;
        if (refusal != null && !rejected) {
            LOG.warn("node {} starts no processes: {}", executor.id(), refusal);
            trigger.requestRound("a node starts no processes");
        } else if (refusal == null && rejected) {
            LOG.info("node {} starts processes again", executor.id());
            trigger.requestRound("a node starts processes again");
        }
    }

    /** Triggers an early round if devices have become unhealthy. */
    private void noteHealth(String id, Heartbeat status, boolean hadFailures) {
        if (health.unhealthy(id, status.unhealthy()) > 0) {
            LOG.warn("unhealthy devices of node {} are quarantined: {}", id, status.unhealthy());
            trigger.requestRound("devices became unhealthy");
        }
        if (hadFailures) {
            health.healthy(
                    id, status.healthy(), Seconds.of(properties.recovery()), Seconds.of(properties.maxRecovery()));
        }
    }
}
