package dev.spur.service.jobs.learning;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Metrics of measured aggregator load, equal on every replica. */
@Component
class AggregationMetrics {
    AggregationMetrics(AggregatorCountsStore counts, MeterRegistry registry) {
        Gauge.builder("spur.aggregators.utilization", () -> counts.utilization().mean())
                .description("Busy share of the slots of reporting aggregators; 0 if none reports")
                .register(registry);
        Gauge.builder(
                        "spur.aggregators.utilization.max",
                        () -> counts.utilization().max())
                .description("Busy share of the busiest aggregator")
                .register(registry);
    }
}
