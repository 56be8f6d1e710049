package dev.spur.service.startup;

/**
 * Failure that prevents the start. Its message is the only output, so it states the problem and, where possible, the
 * remedy.
 */
public final class StartupFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A failure whose message is self-explanatory. */
    public StartupFailure(String message) {
        super(message);
    }

    /** A failure with its causing exception, which is logged at debug level only. */
    public StartupFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
