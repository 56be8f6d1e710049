package dev.spur.agent.protocol;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The address of the service, as it is given to a command. */
public final class ServiceAddress {
    private static final String VARIABLE = "SPUR_URL";
    private static final String DEFAULT = "http://127.0.0.1:8080";

    private ServiceAddress() {}

    /**
     * The value of the option, else that of the environment variable SPUR_URL, else this machine.
     *
     * @param option value of {@code --service}; null if it is not given
     * @throws IllegalArgumentException if it is not an address of HTTP; the message is for the caller of the command
     */
    public static URI of(@Nullable String option) {
        return option == null
                ? parse(VARIABLE, Optional.ofNullable(System.getenv(VARIABLE)).orElse(DEFAULT))
                : parse("--service", option);
    }

    static URI parse(String source, String value) {
        try {
            URI uri = new URI(value);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException invalid) {
            // has the same remedy as an address of another protocol
        }
        throw new IllegalArgumentException(
                "%s %s is not the address of a service; expected http://HOST:PORT, for example %s."
                        .formatted(source, value, value.matches("[\\w.-]+(:\\d+)?") ? "http://" + value : DEFAULT));
    }
}
