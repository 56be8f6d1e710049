package dev.spur.service.connectors;

import dev.spur.connectors.reconcile.Limits;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings shared by all connectors. Each {@link PlatformKind} defines its platforms.
 *
 * @param syncInterval time between two synchronizations with a platform
 * @param lease time without renewal after which another replica may run a connector; longer than any single call
 * @param maxConcurrentRestarts maximum number of jobs that a connector restarts at a time
 */
@ConfigurationProperties("spur.connectors")
record ConnectorProperties(
        @DefaultValue("5s") Duration syncInterval,
        @DefaultValue("120s") Duration lease,
        @DefaultValue("4") int maxConcurrentRestarts) {

    Limits limits() {
        return new Limits(maxConcurrentRestarts, Limits.DEFAULT.failuresToObserve(), Limits.DEFAULT.attempts());
    }
}
