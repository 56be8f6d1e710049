package dev.spur.model.performance;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The slow-down of jobs on several nodes that share the network of a node with another such job.
 *
 * @param acceleratorType type of the nodes
 * @param slotsPerNode slots of the largest node of the type, at least 1
 * @param factor relative increase of the step time by each further such job on a node, at least 0; null if it was not
 *     measured
 */
public record Contention(
        String acceleratorType, int slotsPerNode, @Nullable Double factor) {
    /** Assumed factor of shapes on more nodes than needed: all of a step is communication over a link of two jobs. */
    private static final double WORST = 1;

    public Contention {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.atLeast("slotsPerNode", slotsPerNode, 1);
        if (factor != null) {
            Checks.atLeast("factor", factor, 0);
        }
    }

    /**
     * Returns the speed of a job on several nodes relative to that on nodes of its own, in (0, 1]. A job on nodes that
     * it does not fill is charged for one further job on a node. While the factor is unknown, only shapes on more nodes
     * than needed are charged.
     */
    double speed(int slots, int nodes) {
        if (slots >= (long) nodes * slotsPerNode) {
            return 1;
        }
        if (factor != null) {
            return 1 / (1 + factor);
        }
        return nodes > (slots + slotsPerNode - 1) / slotsPerNode ? 1 / (1 + WORST) : 1;
    }
}
