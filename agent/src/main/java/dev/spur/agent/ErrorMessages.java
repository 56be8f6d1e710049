package dev.spur.agent;

import java.io.IOException;

/** Failures in words. */
final class ErrorMessages {

    private ErrorMessages() {}

    /** What happened; never empty, although some failures of connections have no message. */
    static String of(IOException failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
