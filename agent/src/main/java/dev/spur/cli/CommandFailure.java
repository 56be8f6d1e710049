package dev.spur.cli;

/** A command cannot do what it was asked for; the message is all that people see. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }
}
