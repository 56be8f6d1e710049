package dev.spur.service.observability;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the export of traces.
 *
 * @param otlpEndpoint collector of OTLP over HTTP, with its path; empty for no traces
 * @param share fraction of kept traces among those that begin here, in [0, 1]; a traceparent header of the caller takes
 *     precedence
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
