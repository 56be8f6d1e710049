package dev.spur.service.web.access;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import dev.spur.service.security.PrincipalResolver;
import dev.spur.service.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/**
 * Resolves the caller by its token, or in local mode without one. A request with other credentials than a token is not
 * treated as local.
 *
 * <p>In local mode, a request from this machine to its own address comes from the operator. Pages of other sites can
 * make a browser send requests. A request from a page must therefore originate from this service. Its host must be a
 * name of this machine, which excludes DNS rebinding. Requests that a proxy has forwarded are rejected, because they
 * may come from other machines.
 */
@Component
class CallerResolver implements PrincipalResolver {
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    /**
     * Allowed values of Sec-Fetch-Site: a page of this service, or an address that the user typed. Some requests have
     * this header and no Origin.
     */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private static final List<String> LEFT_BY_PROXIES = List.of("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via");
    private static final Principal LOCAL_OPERATOR =
            new Principal("local", Credential.LOCAL, EnumSet.allOf(Role.class), AccessScope.ALL);

    private final AuthenticationMode mode;

    CallerResolver(AuthenticationMode mode) {
        this.mode = mode;
    }

    @Override
    public Optional<Principal> of(HttpServletRequest request) {
        Optional<Principal> authenticated = authentication();
        if (authenticated.isPresent()) {
            return authenticated;
        }
        boolean silent = request.getHeader("Authorization") == null;
        return mode.needsToken() || !silent ? Optional.empty() : local(request);
    }

    /** The caller of the current request by its token; empty without a token. */
    static Optional<Principal> authentication() {
        Authentication known = SecurityContextHolder.getContext().getAuthentication();
        return known != null && known.getPrincipal() instanceof Principal caller
                ? Optional.of(caller)
                : Optional.empty();
    }

    /** The operator, if the request was sent on this machine and not by a page of another site. */
    static Optional<Principal> local(HttpServletRequest request) {
        boolean sentToThisMachine = LOCAL_NAMES.contains(request.getServerName().toLowerCase(Locale.ROOT));
        boolean forwarded = LEFT_BY_PROXIES.stream().anyMatch(name -> request.getHeader(name) != null);
        return sentToThisMachine && !forwarded && isFromOwnPage(request)
                ? Optional.of(LOCAL_OPERATOR)
                : Optional.empty();
    }

    private static boolean isFromOwnPage(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN_SITES.contains(site)) {
            return false;
        }
        String origin = request.getHeader("Origin");
        String host = request.getHeader("Host");
        return origin == null || (host != null && origin.equalsIgnoreCase(request.getScheme() + "://" + host));
    }

    @Override
    public String remedy() {
        return mode.needsToken()
                ? "The request carries no token. Send one as Authorization: Bearer TOKEN."
                : "In local mode, requests from pages of other sites, for other host names or through proxies require a token.";
    }
}
