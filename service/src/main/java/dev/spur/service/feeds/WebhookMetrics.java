package dev.spur.service.feeds;

import dev.spur.service.feeds.DeliveryStore.WebhookDelivery;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Metrics of webhooks, equal on every replica. */
@Component
class WebhookMetrics {
    WebhookMetrics(DeliveryStore deliveries, MeterRegistry registry) {
        Gauge.builder("spur.webhooks.deliveries.pending", () -> deliveries.count(WebhookDelivery.State.PENDING))
                .description("Deliveries that wait for an attempt")
                .register(registry);
        Gauge.builder("spur.webhooks.deliveries.dead", () -> deliveries.count(WebhookDelivery.State.DEAD))
                .description("Deliveries of which all attempts failed")
                .register(registry);
    }
}
