package dev.spur.service.access;

import org.springframework.security.core.AuthenticationException;

/** A client address has sent too many invalid tokens. */
final class TooManyFailedLoginsException extends AuthenticationException {
    private static final long serialVersionUID = 1;
    private final long seconds;

    TooManyFailedLoginsException(long seconds) {
        super("Too many invalid tokens from this address.");
        this.seconds = seconds;
    }

    /** Seconds after which to retry. */
    long seconds() {
        return seconds;
    }
}
