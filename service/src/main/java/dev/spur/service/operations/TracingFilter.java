package dev.spur.service.operations;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Excludes the auto-configuration of tracing unless a trace endpoint is configured, so that disabled tracing has no
 * cost.
 */
final class TracingFilter implements AutoConfigurationImportFilter, EnvironmentAware {
    /** The variables defined by OpenTelemetry also set this property. */
    static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

    private boolean traced;

    @Override
    public void setEnvironment(Environment environment) {
        traced = !environment.getProperty(ENDPOINT, "").isBlank();
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean[] matches = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            matches[i] = traced || name == null || !isForTraces(name);
        }
        return matches;
    }

    private static boolean isForTraces(String name) {
        return name.startsWith("org.springframework.boot.micrometer.tracing.")
                || name.startsWith("org.springframework.boot.opentelemetry.");
    }
}
