package dev.spur.service.executor;

import dev.spur.service.intake.Command;
import dev.spur.service.store.StoredAssignment.Wish;
import org.jspecify.annotations.Nullable;

/**
 * Something that an executor is to stop.
 *
 * @param assignmentId which assignment
 * @param graceSeconds time for a checkpoint before its processes are killed
 * @param reason why
 */
record StopOrder(String assignmentId, double graceSeconds, Wish reason) {
    private static final double GRACE_SECONDS = 30;

    /** The order for an assignment of a job with {@code command}, as JSON; null if it is not known. */
    static StopOrder of(String assignmentId, @Nullable String command, Wish reason) {
        double grace = command == null ? GRACE_SECONDS : Command.read(command).graceSeconds();
        return new StopOrder(assignmentId, grace, reason == Wish.RUN ? Wish.SUPERSEDED : reason);
    }
}
