package dev.spur.service.eta;

import dev.spur.simulator.eta.Forecast;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Metrics of estimates: those of the planner count what it made, the age is that of what this replica hands out. */
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
                .description("Replays into the future behind the last estimates made here")
                .register(registry);
        Gauge.builder("spur.etas.age.seconds", feed::ageSeconds)
                .description("Time since the estimates that are handed out were made")
                .register(registry);
    }

    private static Counter count(MeterRegistry registry, String outcome) {
        return Counter.builder("spur.etas")
                .description("Estimates made here: completely, cut for lack of time, or not at all")
                .tag("outcome", outcome)
                .register(registry);
    }

    void made(Forecast forecast, long nanos) {
        (forecast.cuts().isEmpty() ? made : cut).increment();
        samples = forecast.samples();
        time.record(nanos, TimeUnit.NANOSECONDS);
    }

    void failed() {
        failed.increment();
    }
}
