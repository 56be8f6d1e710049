package dev.spur.service.eta;

import dev.spur.simulator.eta.ForecastSettings;
import dev.spur.simulator.replay.RoundSpacing;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of ETAs.
 *
 * @param enabled false to compute none on this replica
 * @param samples number of simulations; from three on, prediction intervals have a coverage of 80 %
 * @param horizonSeconds horizon of each simulation
 * @param wallSeconds wall-clock limit for all simulations, without the time of waiting for a round
 * @param pauseSeconds pause between two predictions
 * @param greedyFrom number of jobs from which the greedy policy replaces that of the rounds
 * @param pastSeconds period of past arrivals that is used
 * @param seed seed of all random choices
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

    /** Converts these settings. The delay of early rounds is the minimum interval between simulated rounds. */
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
