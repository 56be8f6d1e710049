package dev.spur.service.executor;

import dev.spur.service.cluster.DeviceHealthStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of executors, equal on every replica, and of the polls that wait on this replica. */
@Component
class ExecutorMetrics {
    ExecutorMetrics(ExecutorStore executors, DeviceHealthStore health, AssignmentFeed feed, MeterRegistry registry) {
        Gauge.builder("spur.devices.quarantined", () -> of(health::count))
                .description("Quarantined devices, which rounds do not use because they were unhealthy")
                .register(registry);
        Gauge.builder("spur.executors.known", () -> of(() -> executors.count().known()))
                .description("Executors that have registered")
                .register(registry);
        Gauge.builder("spur.executors.lost", () -> of(() -> executors.count().lost()))
                .description("Executors that are marked as lost")
                .register(registry);
        Gauge.builder("spur.executors.waiting", feed, AssignmentFeed::waiting)
                .description("Executors whose poll waits on this replica")
                .register(registry);
    }

    private static double of(LongSupplier count) {
        try {
            return count.getAsLong();
        } catch (DataAccessException away) {
            return Double.NaN;
        }
    }
}
