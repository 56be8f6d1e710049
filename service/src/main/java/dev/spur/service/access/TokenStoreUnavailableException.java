package dev.spur.service.access;

import org.springframework.security.core.AuthenticationException;

/** Whether a token counts cannot be said at this time. */
final class TokenStoreUnavailableException extends AuthenticationException {
    private static final long serialVersionUID = 1;

    TokenStoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
