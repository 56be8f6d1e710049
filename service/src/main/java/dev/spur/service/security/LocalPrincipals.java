package dev.spur.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Takes every caller for the operator: whoever reaches the address on which the service listens, which is this machine
 * alone unless somebody chose another one. Browsers can be made to carry requests by pages from elsewhere. So a page that
 * calls must have come from this service; and where only this machine is served, it must have been asked for by a name of
 * this machine, which a rebound name is not.
 */
@Component
class LocalPrincipals implements Principals {
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Optional<Principal> OPERATOR =
            Optional.of(new Principal("local", EnumSet.allOf(Role.class), null));

    private final boolean onlyThisMachine;

    LocalPrincipals(@Value("${server.address:0.0.0.0}") String address) throws UnknownHostException {
        onlyThisMachine = InetAddress.getByName(address).isLoopbackAddress();
    }

    @Override
    public Optional<Principal> of(HttpServletRequest request) {
        boolean askedForHere =
                !onlyThisMachine || LOCAL_NAMES.contains(request.getServerName().toLowerCase(Locale.ROOT));
        return askedForHere && cameFromHere(request) ? OPERATOR : Optional.empty();
    }

    private static boolean cameFromHere(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String host = request.getHeader("Host");
        return origin == null || (host != null && origin.equalsIgnoreCase(request.getScheme() + "://" + host));
    }
}
