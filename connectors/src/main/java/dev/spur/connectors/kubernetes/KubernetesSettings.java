package dev.spur.connectors.kubernetes;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings of a Kubernetes connector.
 *
 * @param poolLabel node label whose value is the pool; nodes without it are not managed
 * @param rackLabel node label whose value is the rack
 * @param blockLabel node label whose value is the block of racks
 * @param timeout time limit of a call
 * @param stopWait time within which the pods of a job must end, above their grace period
 * @param startWait time within which the pods of a job must be created and bound
 * @param lostAfter time without reports of a node's kubelet after which the node is lost
 */
public record KubernetesSettings(
        String poolLabel,
        String rackLabel,
        String blockLabel,
        Duration timeout,
        Duration stopWait,
        Duration startWait,
        Duration lostAfter) {
    public KubernetesSettings {
        if (poolLabel.isBlank() || rackLabel.isBlank() || blockLabel.isBlank()) {
            throw new IllegalArgumentException("poolLabel (%s), rackLabel (%s) and blockLabel (%s) must not be blank"
                    .formatted(poolLabel, rackLabel, blockLabel));
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

    /** Returns the level of the topology that a node label states: rack or block; empty for another label. */
    Optional<String> level(String label) {
        return label.equals(rackLabel)
                ? Optional.of("rack")
                : label.equals(blockLabel) ? Optional.of("block") : Optional.empty();
    }
}
