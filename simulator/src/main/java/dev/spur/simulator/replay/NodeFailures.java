package dev.spur.simulator.replay;

import dev.spur.model.Checks;

/**
 * How nodes fail: each on its own, after times drawn from an exponential distribution, whatever runs on it. The same
 * seed gives the same failures under every policy.
 *
 * @param meanSecondsBetween mean seconds that a node runs from one repair to the next failure, above 0
 * @param repairSeconds seconds until a failed node is back, above 0
 */
public record NodeFailures(double meanSecondsBetween, double repairSeconds) {
    public NodeFailures {
        Checks.positive("meanSecondsBetween", meanSecondsBetween);
        Checks.positive("repairSeconds", repairSeconds);
    }
}
