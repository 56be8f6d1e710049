package dev.spur.service.feeds;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hc.client5.http.DnsResolver;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * Resolver of the hosts of webhooks that returns only addresses to which the service may connect. The connection is
 * made to the returned addresses, so that a second resolution with another result has no effect (DNS rebinding).
 */
final class DestinationCheck implements DnsResolver {
    /** Networks that are not public, by the special-purpose registries of RFC 6890. */
    private static final List<IpAddressMatcher> RESERVED = matchers(List.of(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4"));

    /** Global unicast addresses of IPv6; all others are reserved, local or multicast. */
    private static final IpAddressMatcher GLOBAL = new IpAddressMatcher("2000::/3");

    /** Parts of it that are documentation, or that contain an address of IPv4 (6to4, Teredo). */
    private static final List<IpAddressMatcher> NOT_GLOBAL =
            matchers(List.of("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"));

    private final DnsResolver resolver;
    private final List<IpAddressMatcher> networks;
    private final List<String> hosts;

    /** A check with the exceptions of the settings. */
    DestinationCheck(DnsResolver resolver, WebhookProperties properties) {
        this.resolver = resolver;
        this.networks = matchers(properties.allowedNetworks());
        this.hosts = properties.allowedHosts().stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .toList();
    }

    private static List<IpAddressMatcher> matchers(List<String> networks) {
        return networks.stream()
                .filter(network -> !network.isBlank())
                .map(IpAddressMatcher::new)
                .toList();
    }

    /**
     * Resolves a host once.
     *
     * @throws ForbiddenDestinationException if none of its addresses is allowed
     */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] found = resolver.resolve(host);
        if (hosts.contains(host.toLowerCase(Locale.ROOT))) {
            return found;
        }
        List<InetAddress> allowed = Arrays.stream(found).filter(this::isAllowed).toList();
        if (allowed.isEmpty()) {
            List<String> addresses = new ArrayList<>();
            for (InetAddress address : found) {
                addresses.add(address.getHostAddress());
            }
            throw new ForbiddenDestinationException(host, addresses);
        }
        return allowed.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    private boolean isAllowed(InetAddress address) {
        String text = address.getHostAddress().replaceFirst("%.*", "");
        if (networks.stream().anyMatch(network -> network.matches(text))) {
            return true;
        }
        return address.getAddress().length == 4
                ? RESERVED.stream().noneMatch(network -> network.matches(text))
                : GLOBAL.matches(text) && NOT_GLOBAL.stream().noneMatch(network -> network.matches(text));
    }

    /** A host whose addresses are not public and not allowed by a setting. */
    static final class ForbiddenDestinationException extends UnknownHostException {
        private static final long serialVersionUID = 1;

        ForbiddenDestinationException(String host, List<String> addresses) {
            super("%s has no public address (%s); spur.webhooks.allowed-networks or allowed-hosts can allow it"
                    .formatted(host, String.join(", ", addresses)));
        }
    }
}
