package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import java.util.List;
import java.util.Optional;

/** What a connector must still know after a crash. What a method has written when it returns is on disk. */
public interface ActionLog {
    /** Entries that are open, oldest first. */
    List<ActionRecord> open();

    /** The entry of an action, by {@link dev.spur.connectors.JobAction#id}. */
    Optional<ActionRecord> find(String id);

    /** The entry of a job that was begun last. */
    Optional<ActionRecord> lastOf(String job);

    /** Writes an entry, in place of the one of the same action if there is one. */
    void write(ActionRecord entry);

    /**
     * What the connector may do, and how it fares.
     *
     * @param controlLevel what it may do
     * @param failures failed verifications since the last that succeeded
     * @param circuitOpenReason why it went back to {@link ControlLevel#OBSERVE} by itself; empty if it did not
     */
    record ConnectorStatus(ControlLevel controlLevel, int failures, Optional<String> circuitOpenReason) {}

    /** What the connector may do now. */
    ConnectorStatus standing();

    /** Puts down how it fares. Never raises the control level. */
    void fare(ConnectorStatus standing);
}
