package dev.spur.postgres;

/** Failure to start the server or to use its home. The message states the problem and, where possible, the remedy. */
public final class EmbeddedPostgresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
