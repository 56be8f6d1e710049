package dev.spur.service.connector;

import dev.spur.service.store.ConnectorActionStore;
import dev.spur.service.store.ConnectorStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of the connector that is configured, the same on every replica. */
@Component
class ConnectorMetrics {
    private final ConnectorStore connectors;
    private final String name;

    ConnectorMetrics(
            ConnectorStore connectors,
            ConnectorActionStore actions,
            ConnectorProperties properties,
            MeterRegistry registry) {
        this.connectors = connectors;
        this.name = properties.slurm().name();
        if (!properties.slurm().isThere()) {
            return;
        }
        Gauge.builder("spur.connector.failures", () -> of(ConnectorStore.Row::failures))
                .description("Failed verifications in a row of a connector")
                .tag("connector", name)
                .register(registry);
        Gauge.builder("spur.connector.tripped", () -> of(row -> row.tripped() == null ? 0 : 1))
                .description("1 if a connector went back to observing by itself")
                .tag("connector", name)
                .register(registry);
        Gauge.builder("spur.connector.behind", () -> of(ConnectorMetrics::secondsSince))
                .description("Seconds since the last look at the platform; nothing while looks fail")
                .baseUnit("seconds")
                .tag("connector", name)
                .register(registry);
        Gauge.builder(
                        "spur.connector.actions",
                        () -> of(row -> actions.open(name).size()))
                .description("Changes that a connector has begun and the platform does not show yet")
                .tag("connector", name)
                .register(registry);
    }

    private static double secondsSince(ConnectorStore.Row row) {
        Instant at = row.lookedAt();
        return at == null || row.trouble() != null
                ? Double.NaN
                : Duration.between(at, Instant.now()).toMillis() / 1000.0;
    }

    private double of(ToDoubleFunction<ConnectorStore.Row> value) {
        try {
            return connectors.find(name).map(value::applyAsDouble).orElse(Double.NaN);
        } catch (DataAccessException away) {
            return Double.NaN;
        }
    }
}
