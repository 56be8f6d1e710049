package dev.spur.service.connector;

import dev.spur.connectors.engine.Limits;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How careful connectors are with their platforms. Which platforms there are each {@link PlatformKind} says.
 *
 * @param lookSeconds time between two looks at a platform
 * @param leaseSeconds after so long without a sign another replica may run a connector; longer than any single call may take
 * @param interruptionsAtOnce most jobs that a connector interrupts at a time
 * @param keepDays how long actions that ended are kept
 */
@ConfigurationProperties("spur.connectors")
record ConnectorProperties(
        @DefaultValue("5") double lookSeconds,
        @DefaultValue("120") double leaseSeconds,
        @DefaultValue("4") int interruptionsAtOnce,
        @DefaultValue("30") int keepDays) {

    Limits limits() {
        return new Limits(interruptionsAtOnce, Limits.USUAL.failuresToObserve(), Limits.USUAL.attempts());
    }

    /** A duration from the number of seconds that a setting gives, to the millisecond. */
    static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }
}
