package dev.spur.agent.protocol;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** URL of the service from command line and environment. */
public final class ServiceAddress {
    private static final String VARIABLE = "SPUR_URL";
    private static final String DEFAULT = "http://127.0.0.1:8080";

    private ServiceAddress() {}

    /**
     * Returns the value of the option, or else of the environment variable SPUR_URL, or else the URL of the local
     * machine.
     *
     * @param option value of {@code --service}; null if absent
     * @throws IllegalArgumentException if the value is not an HTTP URL; the message is for the caller of the command
     */
    public static URI of(@Nullable String option) {
        return option == null
                ? parse(VARIABLE, Optional.ofNullable(System.getenv(VARIABLE)).orElse(DEFAULT))
                : parse("--service", option);
    }

    /** Returns whether the URL is that of a loopback address of this machine. */
    public static boolean isLocal(URI url) {
        return url.getHost().matches("localhost|127(\\.\\d+){3}|\\[::1]");
    }

    static URI parse(String source, String value) {
        try {
            URI uri = new URI(value);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException invalid) {
            // same remedy as for an unsupported scheme
        }
        throw new IllegalArgumentException(
                "%s %s is not a URL of the service; expected http://HOST:PORT, for example %s."
                        .formatted(source, value, value.matches("[\\w.-]+(:\\d+)?") ? "http://" + value : DEFAULT));
    }
}
