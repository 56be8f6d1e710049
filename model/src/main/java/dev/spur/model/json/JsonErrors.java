package dev.spur.model.json;

import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Error messages for JSON that cannot be bound. They name the member and the cause for the author of the file, and no
 * classes.
 */
public final class JsonErrors {
    private JsonErrors() {}

    /** Returns the invalid member and the cause, without a final period. */
    public static String describe(JacksonException error) {
        if (error instanceof StreamReadException && error.getLocation() != null) {
            return "line %d, column %d is not JSON"
                    .formatted(
                            error.getLocation().getLineNr(), error.getLocation().getColumnNr());
        }
        if (error instanceof UnrecognizedPropertyException unknown) {
            return "the member %s is unknown; known members: %s"
                    .formatted(pointer(error), new TreeSet<>(unknown.getKnownPropertyIds()));
        }
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String rule = cause instanceof JacksonException ? "it is missing or of the wrong type" : cause.getMessage();
        return pointer(error).isEmpty() ? String.valueOf(rule) : "the member %s: %s".formatted(pointer(error), rule);
    }

    private static String pointer(JacksonException error) {
        StringBuilder pointer = new StringBuilder();
        for (JacksonException.Reference step : error.getPath()) {
            pointer.append('/').append(step.getPropertyName() == null ? step.getIndex() : step.getPropertyName());
        }
        return pointer.toString();
    }
}
