package dev.spur.service.web.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An error of a request; at most one of the three places is set.
 *
 * @param pointer JSON pointer into the body
 * @param parameter name of a path or query parameter
 * @param message the error, to be read after the name of the place
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FieldError(
        @Nullable String pointer,
        @Nullable String parameter,
        @Nullable String header,
        String message) {
    /** An error in the body. */
    public static FieldError at(String pointer, String message) {
        return new FieldError(pointer, null, null, message);
    }

    /** An error in a path or query parameter. */
    public static FieldError inParameter(String name, String message) {
        return new FieldError(null, name, null, message);
    }

    /** An error in a header. */
    public static FieldError inHeader(String name, String message) {
        return new FieldError(null, null, name, message);
    }

    /** An error that concerns no single field. */
    public static FieldError of(String message) {
        return new FieldError(null, null, null, message);
    }
}
