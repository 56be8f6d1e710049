package dev.spur.service.eta;

import dev.spur.simulator.eta.ForecastSettings;
import dev.spur.simulator.replay.RoundSpacing;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How far estimates look, and what they may cost.
 *
 * @param enabled false to make none here
 * @param samples replays into the future for each; from three on, bands are of 80 %
 * @param horizonSeconds how far each replay goes
 * @param wallSeconds time on the clock for all of them, without the time in which they wait for a round
 * @param pauseSeconds rest between two estimates
 * @param greedyFrom with so many jobs the greedy policy stands in for that of the rounds
 * @param pastSeconds for how long arrivals are looked back at
 * @param seed seed of every random choice
 */
@ConfigurationProperties("spur.etas")
record EtaProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("19") int samples,
        @DefaultValue("86400") double horizonSeconds,
        @DefaultValue("10") double wallSeconds,
        @DefaultValue("10") double pauseSeconds,
        @DefaultValue("500") int greedyFrom,
        @DefaultValue("14400") double pastSeconds,
        @DefaultValue("1") long seed) {
    private static final double PAUSE_SHARE = 0.05;

    /** These, with the pause between early rounds as the shortest between two rounds of a replay. */
    ForecastSettings forecast(double earlyRoundSeconds) {
        return new ForecastSettings(
                samples,
                horizonSeconds,
                wallSeconds,
                new RoundSpacing(earlyRoundSeconds, PAUSE_SHARE, 0),
                greedyFrom,
                seed);
    }
}
