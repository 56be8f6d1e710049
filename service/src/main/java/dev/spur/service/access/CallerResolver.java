package dev.spur.service.access;

import dev.spur.service.security.Principal;
import dev.spur.service.security.PrincipalResolver;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/**
 * Resolves the caller by its token, or in local mode without one. A request with other credentials than a token is not
 * treated as local.
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
                : "In local mode, requests from pages of other sites, for other host names or through proxies require a token.";
    }
}
