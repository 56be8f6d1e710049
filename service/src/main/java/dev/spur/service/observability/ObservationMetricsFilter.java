package dev.spur.service.observability;

import dev.spur.service.round.RoundSteps;
import io.micrometer.core.instrument.config.MeterFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Filter that keeps trace observations of rounds and their steps from creating metrics. Rounds have their own metrics.
 */
@Configuration(proxyBeanMethods = false)
class ObservationMetricsFilter {
    @Bean
    MeterFilter noMetricsOfWhatIsObserved() {
        return MeterFilter.denyNameStartsWith(RoundSteps.OBSERVATION_PREFIX);
    }
}
