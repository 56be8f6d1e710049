package dev.spur.cli;

/** Failure of a command. Only its message is printed. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int REFUSED = 1;
    private static final int BAD_INPUT = 2;
    private static final int UNAVAILABLE = 3;

    private final int exitCode;

    CommandFailure(String message) {
        this(message, REFUSED);
    }

    private CommandFailure(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Creates a failure for an invalid option or file; no request is sent. */
    static CommandFailure ofInput(String message) {
        return new CommandFailure(message, BAD_INPUT);
    }

    /** Creates a failure after which the same command may succeed later: the service does not respond or is busy. */
    static CommandFailure unavailable(String message) {
        return new CommandFailure(message, UNAVAILABLE);
    }

    /** Returns the same failure with the resource that it concerns. */
    CommandFailure about(String resource) {
        return new CommandFailure("%s: %s".formatted(resource, getMessage()), exitCode);
    }

    /** Returns whether the same command may succeed later. */
    boolean isRepeatable() {
        return exitCode == UNAVAILABLE;
    }

    /** Returns the exit code: 2 for invalid input, 3 for an unavailable service, otherwise 1. */
    int exitCode() {
        return exitCode;
    }
}
