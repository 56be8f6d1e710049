package dev.spur.service.access;

import org.springframework.security.core.AuthenticationException;

/** The database is unavailable, so a token cannot be validated. */
final class TokenStoreUnavailableException extends AuthenticationException {
    private static final long serialVersionUID = 1;

    TokenStoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
