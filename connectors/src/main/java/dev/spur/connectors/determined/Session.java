package dev.spur.connectors.determined;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Authentication token of the calls, from a file or a login. A login takes seconds, because the master hashes passwords
 * at a high cost. Logins therefore have a longer timeout than other calls. After a failure, the next login is delayed;
 * the delay doubles with each further failure.
 */
final class Session {
    private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
    private static final int MAX_DOUBLINGS = 6;

    private final DeterminedSettings settings;
    private final Clock clock;
    private @Nullable String token;
    private int failures;
    private Instant notBefore = Instant.MIN;
    private String lastFailure = "";

    Session(DeterminedSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Exchanges a password for a token. */
    interface Login {
        /**
         * Logs in within a timeout.
         *
         * @throws IOException if there is no response in time or no token
         */
        String token(String password, Duration timeout) throws IOException, InterruptedException;
    }

    /**
     * Returns the token for the next call.
     *
     * @throws IOException if there is none: the login failed, or the next attempt is not due yet
     */
    String token(Login login) throws IOException, InterruptedException {
        Optional<Path> file = settings.tokenFile();
        if (file.isPresent()) {
            return Files.readString(file.get()).strip();
        }
        String known = token;
        return known == null ? login(login) : known;
    }

    /** Discards a token that the master rejected; the next call logs in. */
    void reject() {
        token = null;
    }

    private String login(Login login) throws IOException, InterruptedException {
        if (clock.instant().isBefore(notBefore)) {
            throw new IOException(lastFailure);
        }
        String password =
                Files.readString(settings.passwordFile().orElseThrow()).strip();
        try {
            String fresh = login.token(password, timeout());
            token = fresh;
            failures = 0;
            return fresh;
        } catch (IOException failed) {
            notBefore = clock.instant().plus(FIRST_WAIT.multipliedBy(1L << Math.min(MAX_DOUBLINGS, failures)));
            failures++;
            lastFailure = "login of user %s: %s".formatted(settings.user(), failed.getMessage());
            throw new IOException(lastFailure, failed);
        }
    }

    private Duration timeout() {
        return settings.timeout().compareTo(LOGIN_TIMEOUT) > 0 ? settings.timeout() : LOGIN_TIMEOUT;
    }
}
