package dev.spur.model.cluster;

import dev.spur.model.Checks;
import java.util.Collection;
import java.util.List;

/**
 * A time in which nodes are maintained and must be empty. Jobs that are not predicted to finish by {@code start} leave
 * the nodes before it. At {@code start} the scheduler stops every job that is still there, also jobs with a guaranteed
 * deadline.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param start seconds, on the clock of the problem
 * @param end seconds, on the clock of the problem; later than {@code start}
 * @param leadSeconds time before {@code start} at which the nodes begin to drain; at least 0
 */
public record MaintenanceWindow(String name, List<String> nodes, double start, double end, double leadSeconds) {
    public MaintenanceWindow {
        Checks.nonBlank("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(end > start, "end (%s) of window %s must be later than start (%s)", end, name, start);
        Checks.atLeast("leadSeconds", leadSeconds, 0);
    }

    /** Returns true if the nodes are under maintenance at {@code time}: start inclusive, end exclusive. */
    public boolean holdsAt(double time) {
        return start <= time && time < end;
    }

    /** Returns this window restricted to those of its nodes that are in {@code some}. */
    public MaintenanceWindow within(Collection<String> some) {
        return new MaintenanceWindow(name, nodes.stream().filter(some::contains).toList(), start, end, leadSeconds);
    }

    /** Returns the time at which a job that needs {@code restartSeconds} to stop and restart elsewhere leaves. */
    public double leaveBy(double restartSeconds) {
        return start - Math.max(leadSeconds, restartSeconds);
    }
}
