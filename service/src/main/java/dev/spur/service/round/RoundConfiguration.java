package dev.spur.service.round;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Policy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RoundConfiguration {
    @Bean
    Policy policy() {
        return new Policy() {
            @Override
            public String name() {
                return "none";
            }

            @Override
            public RoundPlan plan(RoundProblem problem) {
                throw new UnsupportedOperationException("no policy is there yet");
            }
        };
    }

    @Bean
    RoundSchedule roundSchedule() {
        return new RoundSchedule();
    }
}
