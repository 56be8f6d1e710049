package dev.spur.service.executor;

import dev.spur.service.assignment.StoredAssignment.DesiredRunState;
import dev.spur.service.job.Command;
import org.jspecify.annotations.Nullable;

/**
 * Order to stop an assignment.
 *
 * @param graceSeconds time for a checkpoint before its processes are killed
 */
record StopOrder(String assignmentId, double graceSeconds, DesiredRunState reason) {
    private static final double GRACE_SECONDS = 30;

    /** The order for an assignment of a job with {@code command}, as JSON; null if it is not known. */
    static StopOrder of(String assignmentId, @Nullable String command, DesiredRunState reason) {
        double grace = command == null ? GRACE_SECONDS : Command.read(command).graceSeconds();
        return new StopOrder(assignmentId, grace, reason.runs() ? DesiredRunState.SUPERSEDED : reason);
    }
}
