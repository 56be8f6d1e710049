package dev.spur.service.simulation;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on the cost of simulations.
 *
 * @param enabled false if this replica runs no simulations; it accepts requests in both cases
 * @param queue maximum number of queued simulations; further requests get 429
 * @param maxWallTime maximum wall-clock time of one simulation
 * @param maxJobs maximum number of live jobs that a simulation of the live state may contain
 * @param pollInterval interval between two polls for a queued simulation
 * @param heartbeatInterval interval between two heartbeats of a running simulation
 * @param heartbeatTimeout time without a heartbeat after which another worker restarts the simulation
 * @param attempts maximum number of starts before the simulation fails
 * @param keep maximum number of ended simulations kept
 */
@ConfigurationProperties("spur.simulations")
record SimulationProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("20") int queue,
        @DefaultValue("30m") Duration maxWallTime,
        @DefaultValue("5000") int maxJobs,
        @DefaultValue("1s") Duration pollInterval,
        @DefaultValue("2s") Duration heartbeatInterval,
        @DefaultValue("30s") Duration heartbeatTimeout,
        @DefaultValue("3") int attempts,
        @DefaultValue("200") int keep) {}
