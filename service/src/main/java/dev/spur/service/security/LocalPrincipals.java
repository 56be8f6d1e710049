package dev.spur.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Takes every caller on this machine for its operator, and nobody else. A browser on this machine is made to carry
 * requests by pages from elsewhere: so the host that was asked for must be this machine by name, which a rebound name is
 * not, and a page that calls must have come from this service.
 */
@Component
class LocalPrincipals implements Principals {
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Optional<Principal> OPERATOR =
            Optional.of(new Principal("local", EnumSet.allOf(Role.class), null));

    @Override
    public Optional<Principal> of(HttpServletRequest request) {
        return isLocal(request.getRemoteAddr())
                        && LOCAL_NAMES.contains(request.getServerName().toLowerCase(Locale.ROOT))
                        && cameFromHere(request)
                ? OPERATOR
                : Optional.empty();
    }

    private static boolean cameFromHere(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String host = request.getHeader("Host");
        return origin == null || (host != null && origin.equalsIgnoreCase(request.getScheme() + "://" + host));
    }

    /** The address is a literal, so nothing is looked up. */
    private static boolean isLocal(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
