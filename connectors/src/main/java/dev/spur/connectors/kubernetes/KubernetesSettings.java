package dev.spur.connectors.kubernetes;

import java.time.Duration;

/**
 * Settings of a Kubernetes connector.
 *
 * @param poolLabel node label whose value is the pool; nodes without it are not managed
 * @param timeout time limit of a call
 * @param stopWait time within which the pods of a job must end, above their grace period
 * @param startWait time within which the pods of a job must be created and bound
 * @param lostAfter time without reports of a node's kubelet after which the node is lost
 */
public record KubernetesSettings(
        String poolLabel, Duration timeout, Duration stopWait, Duration startWait, Duration lostAfter) {
    public KubernetesSettings {
        if (poolLabel.isBlank()) {
            throw new IllegalArgumentException("poolLabel must not be blank");
        }
        if (timeout.isNegative()
                || timeout.isZero()
                || stopWait.isNegative()
                || startWait.isNegative()
                || lostAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "durations (%s, %s, %s, %s) must not be negative, and the call timeout must be positive"
                            .formatted(timeout, stopWait, startWait, lostAfter));
        }
    }
}
