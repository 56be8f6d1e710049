package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.simulator.replay.RoundSpacing;

/**
 * How far a forecast goes, and what it may cost.
 *
 * @param samples replays, at least 1; from three on, bands are of 80 %
 * @param horizonSeconds how far each goes, above 0
 * @param wallSeconds time on the clock for all of them, above 0
 * @param pauses how far the rounds of a replay are apart
 * @param greedyFrom states with so many jobs are replayed by the greedy policy instead of that of the rounds
 * @param seed seed of every random choice
 */
public record ForecastSettings(
        int samples, double horizonSeconds, double wallSeconds, RoundSpacing pauses, int greedyFrom, long seed) {
    public ForecastSettings {
        Checks.atLeast("samples", samples, 1);
        Checks.positive("horizonSeconds", horizonSeconds);
        Checks.positive("wallSeconds", wallSeconds);
        Checks.atLeast("greedyFrom", greedyFrom, 0);
    }
}
