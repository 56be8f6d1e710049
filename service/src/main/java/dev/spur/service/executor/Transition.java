package dev.spur.service.executor;

import dev.spur.service.assignment.AssignmentChanges;
import dev.spur.service.assignment.AssignmentState;
import org.jspecify.annotations.Nullable;

/**
 * A state transition of an assignment, as an executor reports it.
 *
 * @param generation generation of the assignment
 * @param state the new state
 * @param observedRevision revision of the desired state that the executor applies
 * @param pid its first process
 * @param exitCode exit code of its processes
 * @param requested true if the executor ended it
 * @param detail additional text for users
 * @param rescaled number of the change of the ranks that is complete: no process is left on other devices
 * @param warm true if its processes are ready to start, false if they have ended before; null if they did not warm up
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
        @Nullable String detail,
        @Nullable Integer rescaled,
        @Nullable Boolean warm) {
    /** The transition to store. */
    AssignmentChanges.Step step() {
        return new AssignmentChanges.Step(state, seq, pid, exitCode, requested, detail);
    }

    /** True if the program exited by itself and successfully. */
    boolean endedWell() {
        return state == AssignmentState.STOPPED && !requested && exitCode != null && exitCode == 0;
    }
}
