package dev.spur.service;

/**
 * Why the program cannot start, told to the person who started it: the message is the whole output, so it names what is
 * wrong and, where there is one, the way out.
 */
public final class StartupFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A failure that needs no cause to be understood. */
    public StartupFailure(String message) {
        super(message);
    }

    /** A failure with the exception behind it, which only a debugger will show. */
    public StartupFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
