package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import java.util.Optional;

/** Counts how verifications end: after so many failures in a row the connector only observes. */
final class CircuitBreaker {
    private final ActionLog log;
    private final Limits limits;

    CircuitBreaker(ActionLog log, Limits limits) {
        this.log = log;
        this.limits = limits;
    }

    /** What was asked for is seen. */
    void well() {
        count(0, "");
    }

    /** What was asked for is not so. */
    void badly(String why) {
        count(log.standing().failures() + 1, why);
    }

    private void count(int failures, String why) {
        ActionLog.ConnectorStatus now = log.standing();
        if (failures != now.failures()) {
            boolean trips = failures >= limits.failuresToObserve();
            log.fare(new ActionLog.ConnectorStatus(
                    trips ? ControlLevel.OBSERVE : now.controlLevel(),
                    failures,
                    trips ? Optional.of(why) : now.circuitOpenReason()));
        }
    }
}
