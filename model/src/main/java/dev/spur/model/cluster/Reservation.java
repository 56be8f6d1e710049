package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.spur.model.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes kept for one tenant, or for nobody (maintenance), during a time; outside of it they are open to all. From {@code start} on, jobs of others get
 * nothing new there and leave as from a draining node.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param tenant the tenant whose subtree may use them; null keeps everybody off
 * @param start seconds, on the clock of the problem; null if it has always held
 * @param end seconds, on the clock of the problem, later than {@code start}; null if it never ends
 */
public record Reservation(
        String name,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Double start,
        @Nullable Double end) {
    @JsonCreator
    public Reservation {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(
                start == null || end == null || end > start,
                "end (%s) of reservation %s must be later than start (%s)",
                end,
                name,
                start);
    }

    /** A reservation that begins and ends. */
    public Reservation(String name, List<String> nodes, @Nullable String tenant, double start, double end) {
        this(name, nodes, tenant, Double.valueOf(start), Double.valueOf(end));
    }

    /** True if the reservation holds at {@code time}: start inclusive, end exclusive. */
    public boolean holdsAt(double time) {
        return (start == null || start <= time) && (end == null || time < end);
    }
}
