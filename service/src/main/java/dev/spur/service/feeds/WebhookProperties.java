package dev.spur.service.feeds;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhooks.
 *
 * @param allowedNetworks networks in CIDR notation that webhooks may reach although they are not public
 * @param allowedHosts host names that webhooks may reach whatever their addresses are
 * @param timeout maximum duration of one attempt, from the connection to the end of the response
 * @param firstRetry delay before the second attempt; each further delay is twice as long
 * @param maxRetry maximum delay before an attempt
 * @param maxAttempts attempts after which a delivery is dead
 * @param maxWebhooks maximum webhooks
 * @param maxPerCaller maximum webhooks that one caller creates
 */
@ConfigurationProperties("spur.webhooks")
record WebhookProperties(
        @DefaultValue("") List<String> allowedNetworks,
        @DefaultValue("") List<String> allowedHosts,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("5s") Duration firstRetry,
        @DefaultValue("15m") Duration maxRetry,
        @DefaultValue("12") int maxAttempts,
        @DefaultValue("100") int maxWebhooks,
        @DefaultValue("20") int maxPerCaller) {
    WebhookProperties {
        allowedNetworks = List.copyOf(allowedNetworks);
        allowedHosts = List.copyOf(allowedHosts);
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("spur.webhooks.max-attempts (%d) is below 1".formatted(maxAttempts));
        }
    }
}
