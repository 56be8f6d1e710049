package dev.spur.service.aggregation;

import dev.spur.service.store.AggregatorCountsStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of what aggregators are measured to do, the same on every replica. */
@Component
class AggregationMetrics {
    private final AggregatorCountsStore counts;

    AggregationMetrics(AggregatorCountsStore counts, MeterRegistry registry) {
        this.counts = counts;
        Gauge.builder("spur.aggregators.utilisation", () -> of(AggregatorCountsStore.Utilisation::mean))
                .description("Share of their slots that aggregators are busy, of those that report; 0 if none does")
                .register(registry);
        Gauge.builder("spur.aggregators.utilisation.max", () -> of(AggregatorCountsStore.Utilisation::max))
                .description("The same of the busiest aggregator")
                .register(registry);
    }

    private double of(ToDoubleFunction<AggregatorCountsStore.Utilisation> value) {
        try {
            return value.applyAsDouble(counts.utilisation());
        } catch (DataAccessException away) {
            return Double.NaN;
        }
    }
}
