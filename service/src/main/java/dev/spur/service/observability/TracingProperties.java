package dev.spur.service.observability;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where traces go.
 *
 * @param otlpEndpoint a collector that takes OTLP over HTTP, with its path; empty for no traces
 * @param share of traces that begin here and are kept, in [0, 1]; callers who send a traceparent decide for themselves
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
