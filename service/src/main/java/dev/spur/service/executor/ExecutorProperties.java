package dev.spur.service.executor;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How executors are treated. All times are seconds.
 *
 * @param leaseSeconds how long an executor runs on without an answer; longer than two rounds
 * @param graceSeconds how long after that it is taken for lost
 * @param gangSeconds how long a gang waits for its members
 * @param retrySeconds pause of a job after its first failure; it doubles with each further one
 * @param maxRetrySeconds longest pause
 * @param stableSeconds a failure after so long a run is the first one again
 * @param recoverySeconds for how long a device must be healthy after its first failure until rounds use it again
 * @param maxRecoverySeconds longest such time; it doubles with each failure until a device has been used for as long as
 *     this
 * @param checkSeconds period of the check for expired leases; 0 for never
 * @param registerNodes true if executors may register nodes, pools and accelerator types that are not there yet
 * @param maxWaiters most executors that may wait for news at a time
 * @param refreshSeconds time after which those who wait are looked after even if nothing was told
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
    /** Longest time that a poll is held. */
    static final int POLL_HOLD_SECONDS = 30;

    private static final int HEARTBEATS_PER_LEASE = 5;

    /** How often an executor says that it is there. */
    double heartbeatSeconds() {
        return leaseSeconds / HEARTBEATS_PER_LEASE;
    }

    /** Pause of a job that has failed so often in a row, at least once. */
    public double pauseSeconds(int failures) {
        return Math.min(maxRetrySeconds, retrySeconds * Math.pow(2, failures - 1.0));
    }
}
