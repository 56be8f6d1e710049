package dev.spur.simulator.replay;

import dev.spur.model.Checks;

/**
 * Failure model of nodes: independent failures after exponentially distributed times, regardless of load. The same seed
 * gives the same failures under every policy.
 *
 * @param meanSecondsBetween mean seconds from one repair of a node to its next failure, above 0
 * @param repairSeconds seconds until a failed node is back, above 0
 */
public record NodeFailures(double meanSecondsBetween, double repairSeconds) {
    public NodeFailures {
        Checks.positive("meanSecondsBetween", meanSecondsBetween);
        Checks.positive("repairSeconds", repairSeconds);
    }
}
