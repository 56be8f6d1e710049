package dev.spur.service.executor;

import dev.spur.service.assignment.AssignmentState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An assignment with processes on the executor.
 *
 * @param state STARTING, RUNNING or STOPPING
 * @param pid its first process
 * @param devices devices that it holds; null for those of the assignment
 */
record RunningAssignment(
        String assignmentId,
        AssignmentState state,
        @Nullable Long pid,
        @Nullable List<String> devices) {}
