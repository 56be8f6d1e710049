package dev.spur.service.simulation;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.scheduling.support.CronExpression;

/**
 * Settings of self-audits.
 *
 * @param schedule times at which the audit of the previous day is queued, as a cron expression of six fields in UTC;
 *     {@code -} for none
 * @param maxWallTime maximum wall-clock time of one self-audit
 */
@ConfigurationProperties("spur.self-audits")
record SelfAuditProperties(
        @DefaultValue("-") String schedule,
        @DefaultValue("2h") Duration maxWallTime) {
    SelfAuditProperties {
        if (!schedule.equals("-") && !CronExpression.isValidExpression(schedule)) {
            throw new IllegalArgumentException(
                    "spur.self-audits.schedule (%s) is no cron expression: use six fields such as 0 30 2 * * *, or -"
                            .formatted(schedule));
        }
    }
}
