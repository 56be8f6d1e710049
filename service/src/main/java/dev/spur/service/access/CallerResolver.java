package dev.spur.service.access;

import dev.spur.service.security.Principal;
import dev.spur.service.security.PrincipalResolver;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/**
 * The caller by its token, or in local mode without one. Who shows something else than a token is not taken for a local
 * caller.
 */
@Component
class CallerResolver implements PrincipalResolver {
    private final AuthenticationMode door;

    CallerResolver(AuthenticationMode door) {
        this.door = door;
    }

    @Override
    public Optional<Principal> of(HttpServletRequest request) {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known) {
            return Optional.of(known.caller());
        }
        boolean silent = request.getHeader("Authorization") == null;
        return door.needsToken() || !silent ? Optional.empty() : LocalPrincipalResolver.of(request);
    }

    @Override
    public String advice() {
        return door.needsToken()
                ? "The request carries no token. Send one as Authorization: Bearer TOKEN."
                : "In local mode pages from elsewhere, names of other machines and proxies are not served without a token.";
    }
}
