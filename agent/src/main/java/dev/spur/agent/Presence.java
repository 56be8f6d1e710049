package dev.spur.agent;

import dev.spur.agent.protocol.AssignmentState;
import dev.spur.agent.protocol.Messages.Running;
import dev.spur.agent.run.Run;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What has processes on this node; written by the thread that works with them, read by the one that tells the service. */
final class Presence {
    private volatile List<Running> running = List.of();

    void publish(Collection<Run> runs) {
        running = runs.stream()
                .filter(run -> run.phase() != Run.Phase.ENDED)
                .map(Presence::entry)
                .toList();
    }

    List<Running> running() {
        return running;
    }

    /** Process id of an assignment that has processes. */
    Optional<Long> pid(String assignment) {
        return running.stream()
                .filter(entry -> entry.assignmentId().equals(assignment))
                .map(Running::pid)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static Running entry(Run run) {
        var state = run.phase() == Run.Phase.STOPPING ? AssignmentState.STOPPING : AssignmentState.RUNNING;
        return new Running(
                run.spec().id(), state, run.pid().isPresent() ? run.pid().getAsLong() : null);
    }
}
