package dev.spur.service.startup;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.stereotype.Component;

/**
 * Check of the durations among Spur's settings. It rejects negative ones and numbers without a unit, which Spring reads
 * as milliseconds.
 */
@Component
class DurationSettings implements ConfigurationPropertiesBindHandlerAdvisor {
    private static final ConfigurationPropertyName SPUR = ConfigurationPropertyName.of("spur");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public @Nullable Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                ConfigurationProperty property = context.getConfigurationProperty();
                if (result instanceof Duration duration && property != null && SPUR.isAncestorOf(name)) {
                    check(duration, property);
                }
                return super.onSuccess(name, target, context, result);
            }
        };
    }

    private static void check(Duration duration, ConfigurationProperty property) {
        String text = String.valueOf(property.getValue()).strip();
        if (NUMBER.matcher(text).matches() && !duration.isZero()) {
            throw new IllegalArgumentException("a duration needs a unit, such as %ss".formatted(text));
        }
        if (duration.isNegative()) {
            throw new IllegalArgumentException("a duration must not be negative");
        }
    }
}
