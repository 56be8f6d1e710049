package dev.spur.service.executor;

import dev.spur.service.assignment.AssignmentChanges;
import dev.spur.service.assignment.AssignmentState;
import org.jspecify.annotations.Nullable;

/** A state transition of an assignment, as an executor reports it. Members as in the contract. */
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
