package dev.spur.cli;

/** A command cannot do what it was asked for; the message is all that is printed. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int REFUSED = 1;
    private static final int BAD_INPUT = 2;

    private final int exitCode;

    CommandFailure(String message) {
        this(message, REFUSED);
    }

    private CommandFailure(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** An option or a file is wrong, so the service is not asked. */
    static CommandFailure ofInput(String message) {
        return new CommandFailure(message, BAD_INPUT);
    }

    /** What the process ends with: 2 for wrong input, otherwise 1. */
    int exitCode() {
        return exitCode;
    }
}
