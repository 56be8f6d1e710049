package dev.spur.service.aggregation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Metrics of measured aggregator load, equal on every replica. */
@Component
class AggregationMetrics {
    private final AggregatorCountsStore counts;

    AggregationMetrics(AggregatorCountsStore counts, MeterRegistry registry) {
        this.counts = counts;
        Gauge.builder("spur.aggregators.utilization", () -> of(AggregatorCountsStore.Utilization::mean))
                .description("Busy share of the slots of reporting aggregators; 0 if none reports")
                .register(registry);
        Gauge.builder("spur.aggregators.utilization.max", () -> of(AggregatorCountsStore.Utilization::max))
                .description("Busy share of the busiest aggregator")
                .register(registry);
    }

    private double of(ToDoubleFunction<AggregatorCountsStore.Utilization> value) {
        try {
            return value.applyAsDouble(counts.utilization());
        } catch (DataAccessException away) {
            return Double.NaN;
        }
    }
}
