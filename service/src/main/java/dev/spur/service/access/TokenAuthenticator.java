package dev.spur.service.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Looks up tokens. A valid token is cached for some seconds, and removed at once when a replica reports its revocation.
 * While the database is unavailable, cached tokens remain valid, so that polling executors continue.
 */
@Component
class TokenAuthenticator implements NotificationListener {
    private static final int MAX_TOKENS = 10_000;
    private static final Duration WITHOUT_DATABASE = Duration.ofMinutes(10);

    private final TokenStore tokens;
    private final AccessScopeResolver reaches;
    private final InternalToken own;
    private final long trustNanos;
    private final Cache<String, CachedToken> seen = Caffeine.newBuilder()
            .maximumSize(MAX_TOKENS)
            .expireAfterWrite(WITHOUT_DATABASE)
            .build();

    private record CachedToken(TokenStore.Row token, long at) {}

    TokenAuthenticator(
            TokenStore tokens, AccessScopeResolver reaches, InternalToken own, SecurityProperties properties) {
        this.tokens = tokens;
        this.reaches = reaches;
        this.own = own;
        this.trustNanos = properties.tokenCacheTtl().toNanos();
    }

    /**
     * The principal of a token; empty if the token is invalid.
     *
     * @throws TokenStoreUnavailableException if the token is not cached and the database is unavailable
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
            throw new TokenStoreUnavailableException(
                    "The database does not respond, so the token cannot be validated.", away);
        }
    }

    private Principal principal(TokenStore.Row token) {
        return new Principal(
                token.name(), Credential.TOKEN, Set.of(token.role()), reaches.of(token.tenants(), token.node()));
    }

    @Override
    public String channel() {
        return NotificationChannel.TOKENS;
    }

    /** Removes a revoked token from the cache. */
    @Override
    public void notified(String id) {
        seen.asMap().values().removeIf(cached -> cached.token().id().equals(id));
    }

    @Override
    public void reconnected() {
        seen.invalidateAll();
    }
}
