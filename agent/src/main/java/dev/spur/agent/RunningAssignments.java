package dev.spur.agent;

import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.protocol.AssignmentPhase;
import dev.spur.agent.protocol.Messages.RunningAssignment;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Assignments that have started on this node. Processes that wait for the start do not count. Written by the process
 * thread and read by the session thread.
 */
final class RunningAssignments {
    private volatile List<RunningAssignment> running = List.of();

    void publish(Collection<ProcessRun> runs) {
        running = runs.stream()
                .filter(run -> run.phase() != ProcessRun.Phase.ENDED && !run.isWarming())
                .map(RunningAssignments::entry)
                .toList();
    }

    List<RunningAssignment> running() {
        return running;
    }

    /** Returns the process id of an assignment; empty if it has no processes. */
    Optional<Long> pid(String assignment) {
        return running.stream()
                .filter(entry -> entry.assignmentId().equals(assignment))
                .map(RunningAssignment::pid)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static RunningAssignment entry(ProcessRun run) {
        var state = run.phase() == ProcessRun.Phase.STOPPING ? AssignmentPhase.STOPPING : AssignmentPhase.RUNNING;
        return new RunningAssignment(
                run.spec().id(), state, run.pid().isPresent() ? run.pid().getAsLong() : null);
    }
}
