package dev.spur.service.round;

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
        return registry -> Gauge.builder("spur.planner", keeper, LeaseKeeper::count)
                .description("Planning domains that this replica plans: 1 or 0 where nothing is divided")
                .register(registry);
    }

    @Bean
    RoundSchedule roundSchedule() {
        return new RoundSchedule();
    }
}
