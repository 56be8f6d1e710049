package dev.spur.service.connector;

import dev.spur.connectors.reconcile.Limits;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings shared by all connectors. Each {@link PlatformKind} defines its platforms.
 *
 * @param syncSeconds time between two synchronizations with a platform
 * @param leaseSeconds time without renewal after which another replica may run a connector; longer than any single call
 * @param maxConcurrentRestarts maximum number of jobs that a connector restarts at a time
 */
@ConfigurationProperties("spur.connectors")
record ConnectorProperties(
        @DefaultValue("5") double syncSeconds,
        @DefaultValue("120") double leaseSeconds,
        @DefaultValue("4") int maxConcurrentRestarts) {

    Limits limits() {
        return new Limits(maxConcurrentRestarts, Limits.DEFAULT.failuresToObserve(), Limits.DEFAULT.attempts());
    }

    /** A duration from the number of seconds that a setting gives, to the millisecond. */
    static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }
}
