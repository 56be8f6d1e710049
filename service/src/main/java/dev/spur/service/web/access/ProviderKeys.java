package dev.spur.service.web.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestOperations;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Keys of the identity provider. At most one request at a time fetches them, and no other request waits for it: tokens
 * with synthetic key ids must neither load the provider nor hold the threads of the service. Thread-safe.
 */
final class ProviderKeys implements JWKSource<SecurityContext> {
    /** Minimum time between two fetches, also for a token with an unknown key id. */
    private static final Duration PAUSE = Duration.ofSeconds(30);
    /** Minimum time after a failed fetch. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);
    /** Age at which keys are fetched again. */
    private static final Duration FRESH = Duration.ofMinutes(5);
    /** Age up to which keys are accepted while the provider does not respond. */
    private static final Duration MAX_AGE = Duration.ofHours(1);

    private final OidcProperties oidc;
    private final RestOperations client;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable FetchedKeys known;
    private volatile long nextFetchNanos = System.nanoTime();
    private volatile String failure = "they are being fetched";

    /** Keys with the time of their fetch. */
    private record FetchedKeys(JWKSet keys, long atNanos) {
        boolean isYoungerThan(Duration age) {
            return System.nanoTime() - atNanos < age.toNanos();
        }
    }

    /** @param client client whose calls are limited in time and size */
    ProviderKeys(OidcProperties oidc, RestOperations client) {
        this.oidc = oidc;
        this.client = client;
    }

    /**
     * Returns the keys that match, after a fetch if none of the known ones does and a fetch is permitted.
     *
     * @throws JWKSetUnavailableException if no keys are known
     */
    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeySourceException {
        FetchedKeys before = usable();
        List<JWK> found = before == null ? List.of() : selector.select(before.keys());
        if (before != null && before.isYoungerThan(FRESH) && !found.isEmpty()) {
            return found;
        }
        fetch();
        FetchedKeys now = usable();
        if (now == null) {
            throw new JWKSetUnavailableException("no keys are known: " + failure);
        }
        return selector.select(now.keys());
    }

    private @Nullable FetchedKeys usable() {
        FetchedKeys keys = known;
        return keys != null && keys.isYoungerThan(MAX_AGE) ? keys : null;
    }

    private void fetch() {
        if (System.nanoTime() - nextFetchNanos < 0 || !fetching.tryLock()) {
            return;
        }
        try {
            if (System.nanoTime() - nextFetchNanos < 0) {
                return;
            }
            known = new FetchedKeys(JWKSet.parse(text(address())), System.nanoTime());
            nextFetchNanos = System.nanoTime() + PAUSE.toNanos();
        } catch (RestClientException | ParseException | IllegalArgumentException away) {
            failure = String.valueOf(away.getMessage());
            nextFetchNanos = System.nanoTime() + PAUSE_AFTER_FAILURE.toNanos();
        } finally {
            fetching.unlock();
        }
    }

    private String text(URI address) {
        String body = client.getForObject(address, String.class);
        if (body == null) {
            throw new IllegalArgumentException("the response of %s is empty".formatted(address));
        }
        return body;
    }

    private URI address() {
        return oidc.jwksUri().isBlank() ? discover() : URI.create(oidc.jwksUri());
    }

    /** Returns the address in the metadata of the issuer (OpenID Connect Discovery 1.0 and RFC 8414). */
    private URI discover() {
        URI issuer = URI.create(oidc.issuer());
        String path = issuer.getRawPath() == null ? "" : issuer.getRawPath().replaceAll("/$", "");
        List<String> paths = List.of(
                path + "/.well-known/openid-configuration",
                "/.well-known/openid-configuration" + path,
                "/.well-known/oauth-authorization-server" + path);
        List<String> failures = new ArrayList<>();
        for (String each : paths.stream().distinct().toList()) {
            URI metadata = UriComponentsBuilder.fromUri(issuer)
                    .replacePath(each)
                    .build(true)
                    .toUri();
            try {
                return address(metadata);
            } catch (RestClientException | IllegalArgumentException absent) {
                failures.add(String.valueOf(absent.getMessage()));
            }
        }
        throw new IllegalArgumentException(String.join("; ", failures));
    }

    private URI address(URI metadata) {
        Map<?, ?> members = client.getForObject(metadata, Map.class);
        if (members == null
                || !oidc.issuer().equals(members.get("issuer"))
                || !(members.get("jwks_uri") instanceof String keys)) {
            throw new IllegalArgumentException(
                    "%s has no jwks_uri, or another issuer than %s".formatted(metadata, oidc.issuer()));
        }
        return URI.create(keys);
    }
}
