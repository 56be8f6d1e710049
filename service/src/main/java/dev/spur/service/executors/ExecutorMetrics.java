package dev.spur.service.executors;

import dev.spur.service.cluster.DeviceHealthStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Metrics of executors, equal on every replica, and of the polls that wait on this replica. */
@Component
class ExecutorMetrics {
    ExecutorMetrics(ExecutorStore executors, DeviceHealthStore health, DesiredStateFeed feed, MeterRegistry registry) {
        Gauge.builder("spur.devices.quarantined", health::count)
                .description("Quarantined devices, which rounds do not use because they were unhealthy")
                .register(registry);
        Gauge.builder("spur.executors.known", () -> executors.count().known())
                .description("Executors that have registered")
                .register(registry);
        Gauge.builder("spur.executors.lost", () -> executors.count().lost())
                .description("Executors that are marked as lost")
                .register(registry);
        Gauge.builder("spur.executors.waiting", feed, DesiredStateFeed::waiting)
                .description("Executors whose poll waits on this replica")
                .register(registry);
    }
}
