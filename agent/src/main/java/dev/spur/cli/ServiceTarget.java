package dev.spur.cli;

import dev.spur.agent.protocol.ServiceAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Service to which a command sends its requests.
 *
 * @param url URL of the service
 * @param token token of the requests; empty for none
 */
record ServiceTarget(URI url, Optional<String> token) {
    private static final String URL = "SPUR_URL";
    private static final String TOKEN = "SPUR_TOKEN";

    /**
     * Returns the target. The URL is that of the option, else of {@code SPUR_URL}, else of the login file, else of the
     * local machine. The token is {@code SPUR_TOKEN}, else that of the login file, which is sent only to the URL of
     * this file.
     *
     * @param option value of {@code --service}; null if absent
     * @throws CommandFailure if the URL or the login file is invalid
     */
    static ServiceTarget of(@Nullable String option, Map<String, String> environment, LoginFile file) {
        Optional<String> token = Optional.ofNullable(environment.get(TOKEN)).filter(value -> !value.isBlank());
        String variable = environment.get(URL);
        boolean stated = option != null || variable != null;
        Optional<LoginFile.Login> login = stated && token.isPresent() ? Optional.empty() : file.read();
        URI url = stated
                ? option != null ? parse("--service", option) : parse(URL, variable)
                : login.map(found -> parse(file.path().toString(), found.url()))
                        .orElseGet(() -> ServiceAddress.of(null));
        Optional<String> stored =
                login.filter(found -> isSame(url, found.url())).flatMap(LoginFile.Login::token);
        return new ServiceTarget(url, token.isPresent() ? token : stored);
    }

    /** URLs with and without a slash at the end name the same service. */
    private static boolean isSame(URI url, String stored) {
        return url.toString().replaceFirst("/+$", "").equals(stored.replaceFirst("/+$", ""));
    }

    private static URI parse(String source, @Nullable String value) {
        try {
            return ServiceAddress.of(value);
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.ofInput(String.valueOf(wrong.getMessage()).replaceFirst("^--service", source));
        }
    }
}
