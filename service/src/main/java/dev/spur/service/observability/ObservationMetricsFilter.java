package dev.spur.service.observability;

import dev.spur.service.round.RoundObservations;
import io.micrometer.core.instrument.config.MeterFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Rounds and their steps have metrics of their own; what is observed of them for traces must not become others. */
@Configuration(proxyBeanMethods = false)
class ObservationMetricsFilter {
    @Bean
    MeterFilter noMetricsOfWhatIsObserved() {
        return MeterFilter.denyNameStartsWith(RoundObservations.PREFIX);
    }
}
