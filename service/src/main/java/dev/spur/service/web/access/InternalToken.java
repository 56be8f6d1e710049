package dev.spur.service.web.access;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import dev.spur.service.security.Role;
import java.util.EnumSet;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Token with which components of this process call the public API. It is kept in memory only and lasts as long as the
 * process.
 */
@Component
public class InternalToken {
    private static final Principal ITSELF =
            new Principal("spur", Credential.INTERNAL, EnumSet.allOf(Role.class), AccessScope.ALL);

    private final String secret = TokenSecret.fresh();
    private final String hash = TokenSecret.hash(secret);

    /** The Authorization header with the token. */
    public String header() {
        return "Bearer " + secret;
    }

    /** The internal principal, if the hash is that of the internal token. */
    Optional<Principal> principal(String presented) {
        return presented.equals(hash) ? Optional.of(ITSELF) : Optional.empty();
    }
}
