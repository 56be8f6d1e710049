package dev.spur.connectors.engine;

import dev.spur.connectors.ControlLevel;
import java.util.Optional;

/** Counts how verifications end: after so many failures in a row the connector only observes. */
final class Fares {
    private final ActionLog log;
    private final Limits limits;

    Fares(ActionLog log, Limits limits) {
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
        ActionLog.Standing now = log.standing();
        if (failures != now.failures()) {
            boolean trips = failures >= limits.failuresToObserve();
            log.fare(new ActionLog.Standing(
                    trips ? ControlLevel.OBSERVE : now.controlLevel(),
                    failures,
                    trips ? Optional.of(why) : now.circuitOpenReason()));
        }
    }
}
