package dev.spur.solver.placement;

import dev.spur.model.allocation.Configuration;
import java.util.Set;

/**
 * A place that is kept for a job whose turn it is, until those let go who may not be touched yet.
 *
 * @param job index of the job
 * @param configuration the shape that it waits for
 * @param nodes ids of the nodes on which nothing starts until then
 */
public record StarvationReservation(int job, Configuration configuration, Set<String> nodes) {
    public StarvationReservation {
        nodes = Set.copyOf(nodes);
    }
}
