package dev.spur.service.audit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the audit trail is kept.
 *
 * @param keepDays days after which rows are forgotten
 */
@ConfigurationProperties("spur.audit")
public record AuditProperties(@DefaultValue("365") int keepDays) {}
