package dev.spur.service.contract;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of request bodies; the contract defines their size limits.
 *
 * @param deadline time within which a whole body must arrive
 */
@ConfigurationProperties("spur.bodies")
record BodyProperties(@DefaultValue("30s") Duration deadline) {
    BodyProperties {
        if (deadline.compareTo(Duration.ofSeconds(1)) < 0 || deadline.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "spur.bodies.deadline (%s) must be between 1s and 1h".formatted(deadline));
        }
    }
}
