package dev.spur.service.observability;

import io.micrometer.tracing.exporter.SpanExportingPredicate;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is a part of traces, where there are any: requests and rounds, and not probes. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("!'${" + TracingFilter.ENDPOINT + ":}'.isBlank()")
class TracingConfiguration {
    private static final Set<String> PROBES = Set.of("/health", "/metrics");

    @Bean
    SpanExportingPredicate noProbes() {
        return span -> {
            String path = span.getTags().getOrDefault("http.url", "");
            return PROBES.stream().noneMatch(path::startsWith);
        };
    }
}
