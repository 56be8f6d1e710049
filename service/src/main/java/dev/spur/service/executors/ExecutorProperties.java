package dev.spur.service.executors;

import dev.spur.model.Seconds;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of executors.
 *
 * @param lease time for which an executor continues without a response; longer than two rounds
 * @param grace time after the end of the lease until the executor is marked as lost
 * @param gangTimeout maximum time that a gang waits for its members
 * @param rescaleTimeout maximum time of a change of the ranks of a running job; then it restarts from its checkpoint
 * @param warmUpTimeout maximum time for which the previous ranks of a job train while the next ones start
 * @param retryBackoff backoff of a job after its first failure; it doubles with each further one
 * @param maxRetryBackoff maximum backoff
 * @param stableAfter runtime after which a failure counts as the first one again
 * @param recovery time for which a device must be healthy after its first failure until rounds use it again
 * @param maxRecovery maximum of that time; it doubles with each failure until a device has been used for as long as
 *     this
 * @param checkInterval period of the check for expired leases; 0 for never
 * @param registerNodes true if executors may register missing nodes, pools and accelerator types
 */
@ConfigurationProperties("spur.executors")
public record ExecutorProperties(
        @DefaultValue("150s") Duration lease,
        @DefaultValue("30s") Duration grace,
        @DefaultValue("2m") Duration gangTimeout,
        @DefaultValue("10m") Duration rescaleTimeout,
        @DefaultValue("2m") Duration warmUpTimeout,
        @DefaultValue("10s") Duration retryBackoff,
        @DefaultValue("10m") Duration maxRetryBackoff,
        @DefaultValue("10m") Duration stableAfter,
        @DefaultValue("5m") Duration recovery,
        @DefaultValue("2h") Duration maxRecovery,
        @DefaultValue("1s") Duration checkInterval,
        @DefaultValue("true") boolean registerNodes) {
    /** Maximum duration of a poll. */
    static final int POLL_HOLD_SECONDS = 30;

    private static final int HEARTBEATS_PER_LEASE = 5;

    /** Interval of heartbeats. */
    Duration heartbeatInterval() {
        return lease.dividedBy(HEARTBEATS_PER_LEASE);
    }

    /** Time for which an executor without a connection may run its assignments. */
    public Duration leaseWithGrace() {
        return lease.plus(grace);
    }

    /** Backoff in seconds of a job after the given number of consecutive failures, at least one. */
    public double backoffSeconds(int failures) {
        return Math.min(Seconds.of(maxRetryBackoff), Seconds.of(retryBackoff) * Math.pow(2, failures - 1.0));
    }
}
