package dev.spur.service.web.contract;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a request asks for.
 *
 * @param limit maximum items
 * @param cursor {@code next} of the previous page; null for the first page
 */
public record PageRequest(int limit, @Nullable String cursor) {
    /** Limit of a request that states none. */
    static final int DEFAULT_LIMIT = 100;

    /** The page for the parameters of a request; null for absent ones. */
    static PageRequest of(@Nullable String limit, @Nullable String cursor) {
        return new PageRequest(limit == null ? DEFAULT_LIMIT : Integer.parseInt(limit), cursor);
    }

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

    /**
     * Reads the page.
     *
     * @param first key before all items
     * @param read reads items after a key, at most as many as its second argument
     * @param key returns the sort key of an item
     */
    public <T> Page<T> read(String first, BiFunction<String, Integer, List<T>> read, Function<T, String> key) {
        return Page.of(read.apply(after(first), limit + 1), limit, key);
    }

    /** As above, for numeric keys. */
    public <T> Page<T> read(long first, BiFunction<Long, Integer, List<T>> read, Function<T, Long> key) {
        return Page.of(read.apply(after(first), limit + 1), limit, key);
    }

    /** Reads the page of the items that match. */
    public <T> Page<T> read(
            String first, BiFunction<String, Integer, List<T>> read, Function<T, String> key, Predicate<T> matches) {
        return Page.of(Page.matching(after(first), limit + 1, read, key, matches), limit, key);
    }

    /** As above, for numeric keys. */
    public <T> Page<T> read(
            long first, BiFunction<Long, Integer, List<T>> read, Function<T, Long> key, Predicate<T> matches) {
        return Page.of(Page.matching(after(first), limit + 1, read, key, matches), limit, key);
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
