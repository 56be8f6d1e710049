package dev.spur.service.rounds;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Planner settings of this replica. The round interval and the planning parameters are settings in the database.
 *
 * @param enabled false to leave planning to other replicas
 * @param lease time after which another replica may take over from one that does not renew its lease
 * @param renewInterval time between two renewals of the lease
 * @param standbyInterval time between two attempts to acquire the lease
 * @param grace time beyond its budget after which a solve is aborted
 * @param gapLimit optimality gap above which a round raises an alarm
 * @param retainedSnapshots number of snapshots to keep
 */
@ConfigurationProperties("spur.rounds")
public record RoundProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("8s") Duration lease,
        @DefaultValue("2s") Duration renewInterval,
        @DefaultValue("1s") Duration standbyInterval,
        @DefaultValue("10s") Duration grace,
        @DefaultValue("0.01") double gapLimit,
        @DefaultValue("200") int retainedSnapshots,
        @DefaultValue("10000") int keepRounds,
        @DefaultValue("1000") int keepPlans) {
    public RoundProperties {
        if (lease.compareTo(renewInterval) <= 0) {
            throw new IllegalArgumentException(
                    "spur.rounds.lease (%s) must be longer than spur.rounds.renew-interval (%s)"
                            .formatted(lease, renewInterval));
        }
    }
}
