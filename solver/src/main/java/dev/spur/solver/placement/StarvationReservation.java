package dev.spur.solver.placement;

import dev.spur.model.allocation.Configuration;
import java.util.Set;

/**
 * Nodes reserved for a starving job until protected jobs release them.
 *
 * @param job index of the job
 * @param configuration the configuration that it waits for
 * @param nodes ids of the nodes on which no job starts until then
 */
public record StarvationReservation(int job, Configuration configuration, Set<String> nodes) {
    public StarvationReservation {
        nodes = Set.copyOf(nodes);
    }
}
