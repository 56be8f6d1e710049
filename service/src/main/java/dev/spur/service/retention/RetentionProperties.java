package dev.spur.service.retention;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Retention of rows that no longer change, by kind of row.
 *
 * @param audit audit entries and ended maintenance windows
 * @param tokens revoked and expired tokens
 * @param idempotencyKeys keys of submissions; the API guarantees one day
 * @param assignments ended assignments
 * @param measurements measurements of ended jobs; their families keep the learned speeds
 * @param logs output of ended jobs
 * @param connectorActions ended connector actions, except the last action of each job
 * @param simulations ended simulations
 * @param capacities history of the number of slots, except the last row of each type, and of the use of GPUs
 * @param webhookDeliveries ended deliveries of webhooks
 */
@ConfigurationProperties("spur.retention")
record RetentionProperties(
        @DefaultValue("365d") Duration audit,
        @DefaultValue("90d") Duration tokens,
        @DefaultValue("48h") Duration idempotencyKeys,
        @DefaultValue("24h") Duration assignments,
        @DefaultValue("7d") Duration measurements,
        @DefaultValue("7d") Duration logs,
        @DefaultValue("30d") Duration connectorActions,
        @DefaultValue("7d") Duration simulations,
        @DefaultValue("366d") Duration capacities,
        @DefaultValue("7d") Duration webhookDeliveries) {}
