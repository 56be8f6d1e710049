package dev.spur.service.simulation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on the cost of simulations.
 *
 * @param enabled false if this replica runs no simulations; it accepts requests in both cases
 * @param queue maximum number of queued simulations; further requests get 429
 * @param maxSeconds maximum wall-clock time of one simulation
 * @param maxJobs maximum number of live jobs that a simulation of the live state may contain
 * @param pollSeconds interval between two polls for a queued simulation
 * @param heartbeatSeconds interval between two heartbeats of a running simulation
 * @param silentSeconds time without a heartbeat after which another worker restarts the simulation
 * @param attempts maximum number of starts before the simulation fails
 * @param keep maximum number of ended simulations kept
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
        @DefaultValue("200") int keep) {}
