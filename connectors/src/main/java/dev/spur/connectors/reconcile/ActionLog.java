package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import java.util.List;
import java.util.Optional;

/** Durable log of a connector's actions. Each write is durable when its method returns. */
public interface ActionLog {
    /** Returns the open records, oldest first. */
    List<ActionRecord> open();

    /** Returns the record of an action by its {@link dev.spur.connectors.JobAction#id}. */
    Optional<ActionRecord> find(String id);

    /** Returns the most recent record of a job. */
    Optional<ActionRecord> lastOf(String job);

    /** Writes a record; replaces the record of the same action. */
    void write(ActionRecord entry);

    /**
     * Status of a connector.
     *
     * @param controlLevel permitted control level
     * @param failures consecutive failed verifications
     * @param circuitOpenReason reason why the circuit breaker reduced the level to {@link ControlLevel#OBSERVE}; empty
     *     if it is closed
     */
    record ConnectorStatus(ControlLevel controlLevel, int failures, Optional<String> circuitOpenReason) {}

    /** Returns the current status. */
    ConnectorStatus status();

    /** Writes the status. Never raises the control level. */
    void write(ConnectorStatus status);
}
