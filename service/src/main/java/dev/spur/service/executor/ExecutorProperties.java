package dev.spur.service.executor;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of executors. All times are in seconds.
 *
 * @param leaseSeconds time for which an executor continues without a response; longer than two rounds
 * @param graceSeconds time after the end of the lease until the executor is marked as lost
 * @param gangSeconds maximum time that a gang waits for its members
 * @param retrySeconds backoff of a job after its first failure; it doubles with each further one
 * @param maxRetrySeconds maximum backoff
 * @param stableSeconds runtime after which a failure counts as the first one again
 * @param recoverySeconds time for which a device must be healthy after its first failure until rounds use it again
 * @param maxRecoverySeconds maximum of that time; it doubles with each failure until a device has been used for as long
 *     as this
 * @param checkSeconds period of the check for expired leases; 0 for never
 * @param registerNodes true if executors may register missing nodes, pools and accelerator types
 * @param maxWaiters maximum concurrent waiting polls
 * @param refreshSeconds period after which waiting polls are refreshed without a notification
 */
@ConfigurationProperties("spur.executors")
public record ExecutorProperties(
        @DefaultValue("150") double leaseSeconds,
        @DefaultValue("30") double graceSeconds,
        @DefaultValue("120") double gangSeconds,
        @DefaultValue("10") double retrySeconds,
        @DefaultValue("600") double maxRetrySeconds,
        @DefaultValue("600") double stableSeconds,
        @DefaultValue("300") double recoverySeconds,
        @DefaultValue("7200") double maxRecoverySeconds,
        @DefaultValue("1") double checkSeconds,
        @DefaultValue("true") boolean registerNodes,
        @DefaultValue("6000") int maxWaiters,
        @DefaultValue("5") double refreshSeconds) {
    /** Maximum duration of a poll. */
    static final int POLL_HOLD_SECONDS = 30;

    private static final int HEARTBEATS_PER_LEASE = 5;

    /** Interval of heartbeats. */
    double heartbeatSeconds() {
        return leaseSeconds / HEARTBEATS_PER_LEASE;
    }

    /** Backoff of a job after the given number of consecutive failures, at least one. */
    public double pauseSeconds(int failures) {
        return Math.min(maxRetrySeconds, retrySeconds * Math.pow(2, failures - 1.0));
    }
}
