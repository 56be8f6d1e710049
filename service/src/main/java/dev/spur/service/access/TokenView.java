package dev.spur.service.access;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A token as the API returns it, without its secret, which is not stored. */
record TokenView(
        String id,
        String name,
        String role,
        @Nullable List<String> tenants,
        @Nullable String node,
        Instant createdAt,
        String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt) {
    /** Whether a token is accepted. */
    enum State {
        ACTIVE,
        EXPIRED,
        REVOKED
    }

    static State state(TokenStore.Row token, Instant now) {
        if (token.revokedAt() != null) {
            return State.REVOKED;
        }
        Instant expiry = token.expiresAt();
        return expiry != null && !expiry.isAfter(now) ? State.EXPIRED : State.ACTIVE;
    }

    static TokenView of(TokenStore.Row token) {
        return new TokenView(
                token.id(),
                token.name(),
                token.role().name(),
                token.tenants(),
                token.node(),
                token.createdAt(),
                token.createdBy(),
                token.expiresAt(),
                token.revokedAt(),
                token.lastUsedAt());
    }
}
