package dev.spur.service.observability;

import io.micrometer.tracing.exporter.SpanExportingPredicate;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Scope of traces, if tracing is enabled: requests and rounds, but not health checks and metric scrapes. */
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
