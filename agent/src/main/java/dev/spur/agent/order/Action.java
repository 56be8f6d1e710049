package dev.spur.agent.order;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentState;
import java.util.OptionalInt;

/** One thing to do. */
public sealed interface Action {

    /** Asks the service for leave to start, and starts if it is given. */
    record Start(Assignment assignment) implements Action {}

    /** Tells the service how far an assignment is. */
    record Tell(Assignment assignment, AssignmentState state, OptionalInt exitCode, boolean requested, String detail)
            implements Action {}

    /** Tells a run to end. */
    record Stop(String run, String reason, double graceSeconds) implements Action {}

    /** Forgets a run that has ended and of which the service wants to hear no more. */
    record Forget(String run) implements Action {}
}
