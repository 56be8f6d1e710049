package dev.spur.service.questions;

import dev.spur.simulator.eta.Forecast;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Metrics of ETAs. Those of the planner count its predictions; the age is that of the ETAs that this replica provides.
 */
@Component
class EtaMetrics {
    private final Counter made;
    private final Counter cut;
    private final Counter failed;
    private final Timer time;
    private volatile int samples;

    EtaMetrics(MeterRegistry registry, EtaFeed feed) {
        made = count(registry, "made");
        cut = count(registry, "cut");
        failed = count(registry, "failed");
        time = registry.timer("spur.etas.time");
        Gauge.builder("spur.etas.samples", () -> samples)
                .description("Simulations of the last ETAs that this replica computed")
                .register(registry);
        Gauge.builder("spur.etas.age.seconds", feed::ageSeconds)
                .description("Age of the ETAs that this replica provides")
                .register(registry);
    }

    private static Counter count(MeterRegistry registry, String outcome) {
        return Counter.builder("spur.etas")
                .description("ETA computations of this replica: complete, shortened by the time limit, or failed")
                .tag("outcome", outcome)
                .register(registry);
    }

    void recordForecast(Forecast forecast, long nanos) {
        (forecast.cuts().isEmpty() ? made : cut).increment();
        samples = forecast.samples();
        time.record(nanos, TimeUnit.NANOSECONDS);
    }

    void recordFailure() {
        failed.increment();
    }
}
