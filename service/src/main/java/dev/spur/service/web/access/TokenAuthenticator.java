package dev.spur.service.web.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DataAccessException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.stereotype.Component;

/**
 * Authenticates requests by their tokens. A valid token is cached for some seconds, and removed at once when a replica
 * reports its revocation. While the database is unavailable, cached tokens remain valid, so that polling executors
 * continue. A token is looked up before its address is throttled: many clients may share an address, and the failures
 * of one must not affect valid tokens of others.
 */
@Component
public class TokenAuthenticator implements AuthenticationManagerResolver<HttpServletRequest>, NotificationListener {
    private static final int MAX_TOKENS = 10_000;
    private static final Duration WITHOUT_DATABASE = Duration.ofMinutes(10);

    private final TokenStore tokens;
    private final AccessScopeStore scopes;
    private final InternalToken own;
    private final JwtDecoder decoder;
    private final JwtPrincipalConverter signed;
    /** Failed authentications by client address; valid tokens are not counted. */
    private final KeyedRateLimiter failures;

    private final long trustNanos;
    private final Cache<String, CachedToken> seen = Caffeine.newBuilder()
            .maximumSize(MAX_TOKENS)
            .expireAfterWrite(WITHOUT_DATABASE)
            .build();

    private record CachedToken(TokenStore.Row token, long at) {}

    TokenAuthenticator(
            TokenStore tokens,
            AccessScopeStore scopes,
            InternalToken own,
            JwtDecoder decoder,
            JwtPrincipalConverter signed,
            SecurityProperties properties,
            RateProperties rate) {
        this.tokens = tokens;
        this.scopes = scopes;
        this.own = own;
        this.decoder = decoder;
        this.signed = signed;
        this.failures = new KeyedRateLimiter(rate.failuresPerMinute(), rate.failuresPerMinute(), Duration.ofMinutes(1));
        this.trustNanos = properties.tokenCacheTtl().toNanos();
    }

    @Override
    public AuthenticationManager resolve(HttpServletRequest request) {
        return presented -> authenticate(presented, request.getRemoteAddr());
    }

    /**
     * Authenticates a request. The result carries no authorities of the framework, because the contract defines
     * authorization, and no secret.
     *
     * @param shown its token
     * @param address address of its client
     * @throws AuthenticationProblemException if the token is invalid and the address has exceeded its limit
     */
    Authentication authenticate(Authentication shown, String address) {
        String token = ((BearerTokenAuthenticationToken) shown).getToken();
        try {
            Principal caller = token.startsWith(TokenSecret.PREFIX) ? resolveIssued(token) : resolveSigned(token);
            return new PreAuthenticatedAuthenticationToken(caller, "", List.of());
        } catch (InvalidBearerTokenException invalid) {
            long seconds = failures.take(address);
            throw seconds == 0 ? invalid : AuthenticationProblemException.tooManyFailures(seconds);
        }
    }

    private Principal resolveIssued(String token) {
        return principalOf(token)
                .orElseThrow(() -> new InvalidBearerTokenException("The token is unknown, revoked or expired."));
    }

    private Principal resolveSigned(String token) {
        try {
            return signed.of(decoder.decode(token));
        } catch (BadJwtException bad) {
            throw new InvalidBearerTokenException("The token is not intended for this service.", bad);
        } catch (JwtException | AuthenticationServiceException away) {
            throw AuthenticationProblemException.unavailable(
                    "The keys of the identity provider cannot be retrieved.", away);
        }
    }

    /**
     * The principal of a token; empty if the token is invalid.
     *
     * @throws AuthenticationProblemException if the token is not cached and the database is unavailable
     */
    Optional<Principal> principalOf(String secret) {
        String hash = TokenSecret.hash(secret);
        Optional<Principal> itself = own.principal(hash);
        return itself.isPresent() ? itself : token(hash).map(this::principal);
    }

    private Optional<TokenStore.Row> token(String hash) {
        CachedToken before = seen.getIfPresent(hash);
        long now = System.nanoTime();
        if (before != null && now - before.at() < trustNanos) {
            return Optional.of(before.token());
        }
        try {
            Optional<TokenStore.Row> found = tokens.use(hash);
            found.ifPresentOrElse(token -> seen.put(hash, new CachedToken(token, now)), () -> seen.invalidate(hash));
            return found;
        } catch (DataAccessException away) {
            if (before != null) {
                return Optional.of(before.token());
            }
            throw AuthenticationProblemException.unavailable(
                    "The database does not respond, so the token cannot be validated.", away);
        }
    }

    private Principal principal(TokenStore.Row token) {
        return new Principal(
                token.name(), Credential.TOKEN, Set.of(token.role()), scopes.of(token.tenants(), token.node()));
    }

    @Override
    public String channel() {
        return NotificationChannel.TOKENS;
    }

    /** Removes a revoked token from the cache. */
    @Override
    public void onNotification(String id) {
        seen.asMap().values().removeIf(cached -> cached.token().id().equals(id));
    }

    @Override
    public void onReconnect() {
        seen.invalidateAll();
    }
}
