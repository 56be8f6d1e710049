package dev.spur.service.operations;

import dev.spur.service.rounds.RoundSteps;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.tracing.exporter.SpanExportingPredicate;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Scope of traces and metrics: traces of requests and rounds, and no metrics of what only traces observe. */
@Configuration(proxyBeanMethods = false)
class TracingConfiguration {
    private static final Set<String> PROBES = Set.of("/health", "/metrics");

    /**
     * Settings of the export of traces.
     *
     * @param otlpEndpoint collector of OTLP over HTTP, with its path; empty for no traces
     * @param share fraction of kept traces among those that begin here, in [0, 1]; a traceparent header of the caller
     *     takes precedence
     */
    @ConfigurationProperties("spur.tracing")
    record TracingProperties(
            @DefaultValue("") String otlpEndpoint,
            @DefaultValue("1") double share) {
        TracingProperties {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("spur.tracing.share (%s) is not between 0 and 1".formatted(share));
            }
        }
    }

    /** Excludes health checks and metric scrapes from traces, if tracing is enabled. */
    @Bean
    @ConditionalOnExpression("!'${" + TracingFilter.ENDPOINT + ":}'.isBlank()")
    SpanExportingPredicate noProbes() {
        return span -> {
            String path = span.getTags().getOrDefault("http.url", "");
            return PROBES.stream().noneMatch(path::startsWith);
        };
    }

    /** Excludes the observations of rounds and their steps from metrics, since rounds have their own. */
    @Bean
    MeterFilter noMetricsOfWhatIsObserved() {
        return MeterFilter.denyNameStartsWith(RoundSteps.OBSERVATION_PREFIX);
    }
}
