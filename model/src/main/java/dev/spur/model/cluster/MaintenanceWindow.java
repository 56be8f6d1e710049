package dev.spur.model.cluster;

import dev.spur.model.Checks;
import java.util.Collection;
import java.util.List;

/**
 * A time in which nodes are worked on and nothing may be there. Jobs that are not expected to be done before leave
 * ahead of it, and from {@code start} on whoever is still there is stopped, whatever it was promised.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param start seconds, on the clock of the problem
 * @param end seconds, on the clock of the problem; later than {@code start}
 * @param leadSeconds time before {@code start} from which on the nodes drain; at least 0
 */
public record MaintenanceWindow(String name, List<String> nodes, double start, double end, double leadSeconds) {
    public MaintenanceWindow {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(end > start, "end (%s) of window %s must be later than start (%s)", end, name, start);
        Checks.atLeast("leadSeconds", leadSeconds, 0);
    }

    /** True if the nodes are worked on at {@code time}: start inclusive, end exclusive. */
    public boolean holdsAt(double time) {
        return start <= time && time < end;
    }

    /** This window for those of its nodes that are among {@code some}. */
    public MaintenanceWindow within(Collection<String> some) {
        return new MaintenanceWindow(name, nodes.stream().filter(some::contains).toList(), start, end, leadSeconds);
    }

    /** From when on a job leaves that needs {@code restartSeconds} to stop and to start elsewhere. */
    public double leaveBy(double restartSeconds) {
        return start - Math.max(leadSeconds, restartSeconds);
    }
}
