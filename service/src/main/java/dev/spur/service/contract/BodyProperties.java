package dev.spur.service.contract;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of request bodies; the contract defines their size limits.
 *
 * @param deadlineSeconds time within which a whole body must arrive
 */
@ConfigurationProperties("spur.bodies")
record BodyProperties(@DefaultValue("30") double deadlineSeconds) {
    BodyProperties {
        if (!(deadlineSeconds >= 1 && deadlineSeconds <= 3600)) {
            throw new IllegalArgumentException(
                    "spur.bodies.deadline-seconds (%s) is not between 1 and 3600".formatted(deadlineSeconds));
        }
    }

    Duration deadline() {
        return Duration.ofMillis((long) (deadlineSeconds * 1000));
    }
}
