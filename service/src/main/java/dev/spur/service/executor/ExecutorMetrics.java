package dev.spur.service.executor;

import dev.spur.service.store.DeviceHealthStore;
import dev.spur.service.store.ExecutorStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of executors, the same on every replica, and of those that wait here. */
@Component
class ExecutorMetrics {
    ExecutorMetrics(ExecutorStore executors, DeviceHealthStore health, AssignmentFeed feed, MeterRegistry registry) {
        Gauge.builder("spur.devices.quarantined", () -> of(health::count))
                .description("Devices that rounds leave out because they were not healthy")
                .register(registry);
        Gauge.builder("spur.executors.known", () -> of(() -> executors.count().known()))
                .description("Executors that have registered")
                .register(registry);
        Gauge.builder("spur.executors.lost", () -> of(() -> executors.count().lost()))
                .description("Executors that were silent for too long")
                .register(registry);
        Gauge.builder("spur.executors.waiting", feed, AssignmentFeed::waiting)
                .description("Executors that wait here for something to do")
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
