package dev.spur.service.connectors;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Metrics of the configured connectors, the same on every replica. */
@Component
class ConnectorMetrics {
    private final ConnectorStore connectors;
    private final MeterRegistry registry;

    ConnectorMetrics(
            PlatformConnections connections,
            ConnectorStore connectors,
            ConnectorActionStore actions,
            MeterRegistry registry) {
        this.connectors = connectors;
        this.registry = registry;
        connections.all().forEach(connection -> measure(connection.name(), actions));
    }

    private void measure(String name, ConnectorActionStore actions) {
        gauge("failures", name, null, "Failed verifications in a row of a connector", ConnectorStore.Row::failures);
        gauge(
                "circuit.open",
                name,
                null,
                "1 if the circuit breaker of a connector is open",
                row -> row.circuitOpenReason() == null ? 0 : 1);
        gauge(
                "sync.age",
                name,
                "seconds",
                "Seconds since the last synchronization with the platform; no value while synchronization fails",
                ConnectorMetrics::secondsSince);
        gauge(
                "actions",
                name,
                null,
                "Changes that a connector has begun and the platform does not show yet",
                row -> actions.open(name).size());
    }

    private void gauge(
            String what,
            String connector,
            @Nullable String unit,
            String description,
            Function<ConnectorStore.Row, Number> value) {
        Gauge.builder(
                        "spur.connector." + what,
                        () -> connectors.find(connector).map(value).orElse(Double.NaN))
                .description(description)
                .baseUnit(unit)
                .tag("connector", connector)
                .register(registry);
    }

    private static double secondsSince(ConnectorStore.Row row) {
        Instant at = row.lastSyncAt();
        return at == null || row.lastSyncError() != null
                ? Double.NaN
                : Duration.between(at, Instant.now()).toMillis() / 1000.0;
    }
}
