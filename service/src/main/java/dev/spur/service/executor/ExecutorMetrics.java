package dev.spur.service.executor;

import dev.spur.service.store.ExecutorStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of executors, the same on every replica, and of those that wait here. */
@Component
class ExecutorMetrics {
    private final ExecutorStore executors;

    ExecutorMetrics(ExecutorStore executors, AssignmentFeed feed, MeterRegistry registry) {
        this.executors = executors;
        Gauge.builder("spur.executors.known", () -> of(ExecutorStore.Count::known))
                .description("Executors that have registered")
                .register(registry);
        Gauge.builder("spur.executors.lost", () -> of(ExecutorStore.Count::lost))
                .description("Executors that were silent for too long")
                .register(registry);
        Gauge.builder("spur.executors.waiting", feed, AssignmentFeed::waiting)
                .description("Executors that wait here for something to do")
                .register(registry);
    }

    private double of(ToDoubleFunction<ExecutorStore.Count> value) {
        try {
            return value.applyAsDouble(executors.count());
        } catch (DataAccessException away) {
            return Double.NaN;
        }
    }
}
