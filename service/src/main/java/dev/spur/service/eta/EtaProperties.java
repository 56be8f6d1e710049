package dev.spur.service.eta;

import dev.spur.model.Seconds;
import dev.spur.simulator.eta.ForecastSettings;
import dev.spur.simulator.replay.RoundSpacing;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of ETAs.
 *
 * @param enabled false to compute none on this replica
 * @param samples number of simulations; from three on, prediction intervals have a coverage of 80 %
 * @param horizon horizon of each simulation
 * @param maxWallTime wall-clock limit for all simulations, without the time of waiting for a round
 * @param pause pause between two predictions
 * @param greedyFrom number of jobs from which the greedy policy replaces that of the rounds
 * @param history period of past arrivals that is used
 * @param seed seed of all random choices
 */
@ConfigurationProperties("spur.etas")
record EtaProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("19") int samples,
        @DefaultValue("24h") Duration horizon,
        @DefaultValue("10s") Duration maxWallTime,
        @DefaultValue("10s") Duration pause,
        @DefaultValue("500") int greedyFrom,
        @DefaultValue("4h") Duration history,
        @DefaultValue("1") long seed) {
    private static final double PAUSE_SHARE = 0.05;

    /** Converts these settings. The delay of early rounds is the minimum interval between simulated rounds. */
    ForecastSettings forecast(double earlyRoundSeconds) {
        return new ForecastSettings(
                samples,
                Seconds.of(horizon),
                Seconds.of(maxWallTime),
                new RoundSpacing(earlyRoundSeconds, PAUSE_SHARE, 0),
                greedyFrom,
                seed);
    }
}
