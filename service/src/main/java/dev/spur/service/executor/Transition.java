package dev.spur.service.executor;

import dev.spur.service.store.AssignmentChanges;
import dev.spur.service.store.AssignmentState;
import org.jspecify.annotations.Nullable;

/**
 * A step of an assignment, as an executor reports it.
 *
 * @param registrationEpoch number of the registration
 * @param generation that of the assignment
 * @param seq number of the step
 * @param state what the assignment is to be
 * @param observedRevision content of assignments that the executor acts on
 * @param pid its first process
 * @param exitCode how its processes ended
 * @param requested true if the executor ended it
 * @param detail anything to add for people
 */
record Transition(
        long registrationEpoch,
        long generation,
        long seq,
        AssignmentState state,
        @Nullable Long observedRevision,
        @Nullable Long pid,
        @Nullable Long exitCode,
        boolean requested,
        @Nullable String detail) {
    /** The step that is written down. */
    AssignmentChanges.Step step() {
        return new AssignmentChanges.Step(state, seq, pid, exitCode, requested, detail);
    }

    /** True if the program ended by itself and well. */
    boolean endedWell() {
        return state == AssignmentState.STOPPED && !requested && exitCode != null && exitCode == 0;
    }
}
