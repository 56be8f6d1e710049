package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import java.util.Optional;

/** Circuit breaker. It reduces the control level to observation after a number of consecutive failed verifications. */
final class CircuitBreaker {
    private final ActionLog log;
    private final Limits limits;

    CircuitBreaker(ActionLog log, Limits limits) {
        this.log = log;
        this.limits = limits;
    }

    /** Records a successful verification. */
    void recordSuccess() {
        count(0, "");
    }

    /** Records a failed verification. */
    void recordFailure(String why) {
        count(log.status().failures() + 1, why);
    }

    private void count(int failures, String why) {
        ActionLog.ConnectorStatus now = log.status();
        if (failures != now.failures()) {
            boolean trips = failures >= limits.failuresToObserve();
            log.write(new ActionLog.ConnectorStatus(
                    trips ? ControlLevel.OBSERVE : now.controlLevel(),
                    failures,
                    trips ? Optional.of(why) : now.circuitOpenReason()));
        }
    }
}
