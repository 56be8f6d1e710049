package dev.spur.agent.reconcile;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import java.util.OptionalInt;

/** An action of the reconciler. */
public sealed interface ReconcileAction {

    /** Requests permission from the service to start an assignment, and starts it when granted. */
    record Start(Assignment assignment) implements ReconcileAction {}

    /** Starts the processes of an assignment, which wait for its start. */
    record WarmUp(Assignment assignment) implements ReconcileAction {}

    /** Reports that the processes of an assignment are ready to start, or that they have ended. */
    record ReportWarmUp(Assignment assignment, boolean ready) implements ReconcileAction {}

    /** Reports that a change of the ranks is complete, because the run has ended after its training had adopted it. */
    record ReportRescaled(Assignment assignment, Assignment.Rescale change) implements ReconcileAction {}

    /** Reports the state of an assignment to the service. */
    record ReportState(
            Assignment assignment, AssignmentPhase state, OptionalInt exitCode, boolean requested, String detail)
            implements ReconcileAction {
        /** Returns this report with another detail. */
        public ReportState withDetail(String other) {
            return new ReportState(assignment, state, exitCode, requested, other);
        }
    }

    /** Stops a run. */
    record Stop(String run, String reason, double graceSeconds) implements ReconcileAction {}

    /** Deletes an ended run that the service no longer lists. */
    record Discard(String run) implements ReconcileAction {}
}
