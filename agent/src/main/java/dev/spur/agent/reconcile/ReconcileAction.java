package dev.spur.agent.reconcile;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import java.util.OptionalInt;

/** One thing to do. */
public sealed interface ReconcileAction {

    /** Asks the service for leave to start, and starts if it is given. */
    record Start(Assignment assignment) implements ReconcileAction {}

    /** Tells the service how far an assignment is. */
    record ReportState(
            Assignment assignment, AssignmentPhase state, OptionalInt exitCode, boolean requested, String detail)
            implements ReconcileAction {}

    /** Tells a run to end. */
    record Stop(String run, String reason, double graceSeconds) implements ReconcileAction {}

    /** Forgets a run that has ended and of which the service wants to hear no more. */
    record Discard(String run) implements ReconcileAction {}
}
