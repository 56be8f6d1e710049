package dev.spur.service.webhook;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of webhooks, equal on every replica. */
@Component
class WebhookMetrics {
    WebhookMetrics(DeliveryStore deliveries, MeterRegistry registry) {
        gauge("pending", "Deliveries that wait for an attempt", WebhookDelivery.State.PENDING, deliveries, registry);
        gauge("dead", "Deliveries of which all attempts failed", WebhookDelivery.State.DEAD, deliveries, registry);
    }

    private static void gauge(
            String name,
            String description,
            WebhookDelivery.State state,
            DeliveryStore deliveries,
            MeterRegistry registry) {
        Gauge.builder("spur.webhooks.deliveries." + name, () -> count(deliveries, state))
                .description(description)
                .register(registry);
    }

    private static double count(DeliveryStore deliveries, WebhookDelivery.State state) {
        try {
            return deliveries.count(state);
        } catch (DataAccessException away) {
            return Double.NaN;
        }
    }
}
