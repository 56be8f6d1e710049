package dev.spur.service.operations;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.stereotype.Component;

/** The settings of this process, with secrets redacted. */
@Component
class RedactedConfiguration {
    private static final Pattern OURS = Pattern.compile("^(spur|server|management|logging|spring)[._].*");
    private static final Pattern SECRET = Pattern.compile(".*(password|secret|credential).*", Pattern.CASE_INSENSITIVE);
    private static final Pattern SUGGESTIVE =
            Pattern.compile(".*(token|url|uri|user|key|cert).*", Pattern.CASE_INSENSITIVE);
    /** Numbers and truth values. They are not secret, even if the name of the setting suggests a secret. */
    private static final Pattern PLAIN = Pattern.compile("-?[0-9]{1,9}(\\.[0-9]+)?|true|false");

    private final ConfigurableEnvironment environment;

    RedactedConfiguration(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    /** Returns the values by name, sorted by name. */
    Map<String, String> redact() {
        Map<String, String> shown = new TreeMap<>();
        environment.getPropertySources().stream()
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .filter(name -> OURS.matcher(name.toLowerCase(Locale.ROOT)).matches())
                .forEach(name -> shown.put(name, redact(name, environment.getProperty(name, ""))));
        return shown;
    }

    static String redact(String name, String value) {
        boolean hidden = SECRET.matcher(name).matches()
                || (SUGGESTIVE.matcher(name).matches() && !PLAIN.matcher(value).matches());
        return hidden ? "(hidden)" : value;
    }
}
