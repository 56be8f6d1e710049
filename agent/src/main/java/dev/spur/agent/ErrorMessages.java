package dev.spur.agent;

import java.io.IOException;

/** Error messages of I/O failures. */
final class ErrorMessages {

    private ErrorMessages() {}

    /** Returns a message that is never empty, although some connection failures have none. */
    static String of(IOException failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
