package dev.spur.service.round;

import java.io.Serial;

/** A round that cannot make a plan; the message says why and becomes part of its record. */
final class RoundFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    RoundFailure(String message) {
        super(message);
    }

    RoundFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
