package dev.spur.service.startup;

import java.util.Objects;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;

/** Analysis of settings with a wrong value: the setting, its value, the cause and where it was set. */
final class SettingFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, BindException cause) {
        String reason =
                String.valueOf(NestedExceptionUtils.getMostSpecificCause(cause).getMessage());
        return Optional.ofNullable(cause.getProperty())
                .filter(property -> property.getName().equals(cause.getName()))
                .map(property -> analyze(property, reason, cause))
                .orElseGet(() -> new FailureAnalysis(
                        "The settings %s are wrong: %s.".formatted(cause.getName(), reason), "Correct them.", cause));
    }

    private static FailureAnalysis analyze(ConfigurationProperty property, String reason, BindException cause) {
        String type = cause.getTarget().getType().toClass().getSimpleName();
        Object origin = Objects.requireNonNullElse(property.getOrigin(), property.getName());
        return new FailureAnalysis(
                "The setting %s is %s, which is not a valid %s: %s."
                        .formatted(property.getName(), property.getValue(), type, reason),
                "Correct %s.".formatted(origin),
                cause);
    }
}
