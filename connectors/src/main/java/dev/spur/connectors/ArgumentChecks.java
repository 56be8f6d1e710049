package dev.spur.connectors;

import org.jspecify.annotations.Nullable;

/** Argument checks of the records of this module. Each throws {@link IllegalArgumentException}. */
final class ArgumentChecks {
    private ArgumentChecks() {}

    static void requireNonBlank(String name, String value) {
        require(!value.isBlank(), name + " must not be blank");
    }

    static void require(boolean condition, @Nullable String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
