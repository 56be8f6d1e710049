package dev.spur.service.access;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import dev.spur.service.security.Role;
import java.util.EnumSet;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The token with which parts of this process call the service like anybody else. It lives in memory, as long as the
 * process.
 */
@Component
public class InternalToken {
    private static final Principal ITSELF =
            new Principal("spur", Credential.INTERNAL, EnumSet.allOf(Role.class), AccessScope.ALL);

    private final String secret = TokenSecret.fresh();
    private final String hash = TokenSecret.hash(secret);

    /** The header that shows it. */
    public String header() {
        return "Bearer " + secret;
    }

    /** This process, if the hash is that of its token. */
    Optional<Principal> principal(String presented) {
        return presented.equals(hash) ? Optional.of(ITSELF) : Optional.empty();
    }
}
