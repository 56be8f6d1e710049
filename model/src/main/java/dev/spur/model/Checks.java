package dev.spur.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Argument checks that the compact constructors of this module share. Each check throws
 * {@link IllegalArgumentException} with a message that contains the value.
 */
public final class Checks {
    private Checks() {}

    /** Returns {@code value} if it is a finite number of at least {@code min}. */
    public static double atLeast(String name, double value, double min) {
        // The condition comes first, because millions of configurations are checked in a round.
        if (!Double.isFinite(value) || value < min) {
            require(false, "%s (%s) must be a finite number of at least %s", name, value, min);
        }
        return value;
    }

    /** Returns {@code value} if it is finite and above 0. */
    public static double positive(String name, double value) {
        require(Double.isFinite(value) && value > 0, "%s (%s) must be a finite number above 0", name, value);
        return value;
    }

    /** Returns {@code value} if it is at least {@code min}. */
    public static int atLeast(String name, int value, int min) {
        if (value < min) {
            require(false, "%s (%s) must be at least %s", name, value, min);
        }
        return value;
    }

    /** Returns {@code value} if it holds a character other than white space. */
    public static String nonBlank(String name, String value) {
        require(!value.isBlank(), "%s must not be blank", name);
        return value;
    }

    /** Returns an unmodifiable copy; null, which JSON may contain, becomes an empty list. */
    public static <T> List<T> copy(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /**
     * Returns an unmodifiable copy sorted by key, so that equal maps print the same text; null becomes an empty map.
     */
    public static <V> Map<String, V> copy(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(map));
    }

    /** Throws {@code message}, formatted with {@code values}, unless {@code condition} holds. */
    // @FormatMethod would add a dependency to check the format of a few messages at compile time
    @SuppressWarnings("AnnotateFormatMethod")
    public static void require(boolean condition, String message, @Nullable Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}
