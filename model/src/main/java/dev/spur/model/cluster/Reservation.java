package dev.spur.model.cluster;

import dev.spur.model.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes kept for one tenant, or for nobody (maintenance), during a time. From {@code start} on, jobs of others get
 * nothing new there and leave as from a draining node.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param tenant the tenant whose subtree may use them; null keeps everybody off
 * @param start seconds, on the clock of the problem
 * @param end seconds, on the clock of the problem; later than {@code start}
 */
public record Reservation(
        String name, List<String> nodes, @Nullable String tenant, double start, double end) {
    public Reservation {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(end > start, "end (%s) of reservation %s must be later than start (%s)", end, name, start);
    }

    /** True if the reservation holds at {@code time}: start inclusive, end exclusive. */
    public boolean holdsAt(double time) {
        return start <= time && time < end;
    }
}
