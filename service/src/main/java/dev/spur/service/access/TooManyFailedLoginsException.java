package dev.spur.service.access;

import org.springframework.security.core.AuthenticationException;

/** Too many tokens from an address have counted for nothing. */
final class TooManyFailedLoginsException extends AuthenticationException {
    private static final long serialVersionUID = 1;
    private final long seconds;

    TooManyFailedLoginsException(long seconds) {
        super("Too many tokens from this address have counted for nothing.");
        this.seconds = seconds;
    }

    /** After how many seconds to try again. */
    long seconds() {
        return seconds;
    }
}
