package dev.spur.agent;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Error messages of I/O failures. */
final class ErrorMessages {

    private ErrorMessages() {}

    /** Returns the message of the cause. */
    static String of(UncheckedIOException failure) {
        IOException cause = failure.getCause();
        return cause == null ? failure.getClass().getSimpleName() : of(cause);
    }

    /** Returns a message that is never empty, although some connection failures have none. */
    static String of(IOException failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
