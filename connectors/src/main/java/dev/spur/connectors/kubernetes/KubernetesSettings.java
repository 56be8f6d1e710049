package dev.spur.connectors.kubernetes;

import java.time.Duration;

/**
 * What Spur takes from a cluster, and how long it waits for it.
 *
 * @param poolLabel label of nodes whose value is their pool; nodes without it are none of Spur's
 * @param timeout how long a call may take
 * @param stopWait how long the pods of a job may take to end, more than their grace period
 * @param startWait how long the pods of a job may take to be made and bound
 */
public record KubernetesSettings(String poolLabel, Duration timeout, Duration stopWait, Duration startWait) {
    public KubernetesSettings {
        if (poolLabel.isBlank()) {
            throw new IllegalArgumentException("poolLabel must not be blank");
        }
        if (timeout.isNegative() || timeout.isZero() || stopWait.isNegative() || startWait.isNegative()) {
            throw new IllegalArgumentException("times (%s, %s, %s) must not be negative, and a call takes some"
                    .formatted(timeout, stopWait, startWait));
        }
    }
}
