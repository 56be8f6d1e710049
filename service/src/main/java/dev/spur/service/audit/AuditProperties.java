package dev.spur.service.audit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the audit trail.
 *
 * @param keepDays retention of rows in days
 */
@ConfigurationProperties("spur.audit")
public record AuditProperties(@DefaultValue("365") int keepDays) {}
