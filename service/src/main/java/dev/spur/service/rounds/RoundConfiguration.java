package dev.spur.service.rounds;

import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RoundConfiguration {
    @Bean
    Policy policy() {
        return Policies.spur();
    }

    @Bean
    MeterBinder planner(LeaseKeeper keeper) {
        return registry -> Gauge.builder(
                        "spur.planner", keeper, one -> one.current().isPresent() ? 1 : 0)
                .description("1 if this replica plans, otherwise 0")
                .register(registry);
    }

    @Bean
    RoundSchedule roundSchedule() {
        return new RoundSchedule();
    }
}
