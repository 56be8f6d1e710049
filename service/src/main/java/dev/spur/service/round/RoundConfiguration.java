package dev.spur.service.round;

import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RoundConfiguration {
    @Bean
    Policy policy() {
        return Policies.spur();
    }

    @Bean
    RoundSchedule roundSchedule() {
        return new RoundSchedule();
    }
}
