package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.simulator.replay.RoundSpacing;

/**
 * Extent and cost limits of a forecast.
 *
 * @param samples number of simulations, at least 1; with three or more, intervals have 80 % coverage
 * @param horizonSeconds simulated time of each, above 0
 * @param wallSeconds wall-clock time limit for all of them, above 0
 * @param spacing distance between the rounds of a simulation
 * @param greedyFrom number of jobs from which the greedy policy replaces the policy of the rounds
 * @param seed seed of all random choices
 */
public record ForecastSettings(
        int samples, double horizonSeconds, double wallSeconds, RoundSpacing spacing, int greedyFrom, long seed) {
    public ForecastSettings {
        Checks.atLeast("samples", samples, 1);
        Checks.positive("horizonSeconds", horizonSeconds);
        Checks.positive("wallSeconds", wallSeconds);
        Checks.atLeast("greedyFrom", greedyFrom, 0);
    }
}
