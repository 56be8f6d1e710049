package dev.spur.service.contract;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a request asks for.
 *
 * @param limit maximum items
 * @param cursor {@code next} of the previous page; null for the first page
 */
public record PageRequest(int limit, @Nullable String cursor) {
    /** The key after which the page begins; {@code first} for the first page. */
    public String after(String first) {
        return cursor == null ? first : decode(cursor);
    }

    /** As above, for numeric keys. */
    public long after(long first) {
        try {
            return Long.parseLong(after(Long.toString(first)));
        } catch (NumberFormatException e) {
            throw badCursor();
        }
    }

    private static String decode(String cursor) {
        try {
            String key = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (BodyReader.isClean(key)) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            throw badCursor();
        }
        throw badCursor();
    }

    /** The problem of a cursor that no response contained. */
    public static ProblemException badCursor() {
        return ProblemException.of(
                ProblemType.INVALID_REQUEST, FieldError.inParameter("cursor", "must be the next of the previous page"));
    }
}
