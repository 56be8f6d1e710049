package dev.spur.service.simulation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What simulations may cost.
 *
 * @param enabled false to run none here; requests are taken all the same
 * @param queue simulations that may wait; further ones get 429
 * @param maxSeconds longest time on the clock of one
 * @param maxJobs most jobs of the live state that is simulated
 * @param pollSeconds time between two looks for one that waits
 * @param heartbeatSeconds time between two signs of life
 * @param silentSeconds time without one after which a simulation is begun anew
 * @param attempts how often one is begun before it fails
 * @param keepHours how long an ended one is kept
 * @param keep how many ended ones are kept
 */
@ConfigurationProperties("spur.simulations")
record SimulationProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("20") int queue,
        @DefaultValue("1800") double maxSeconds,
        @DefaultValue("5000") int maxJobs,
        @DefaultValue("1") double pollSeconds,
        @DefaultValue("2") double heartbeatSeconds,
        @DefaultValue("30") double silentSeconds,
        @DefaultValue("3") int attempts,
        @DefaultValue("168") double keepHours,
        @DefaultValue("200") int keep) {}
