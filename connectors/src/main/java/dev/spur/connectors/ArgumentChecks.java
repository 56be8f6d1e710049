package dev.spur.connectors;

import org.jspecify.annotations.Nullable;

/** Checks that the compact constructors of this module share. Each throws {@link IllegalArgumentException}. */
final class ArgumentChecks {
    private ArgumentChecks() {}

    static void named(String name, String value) {
        require(!value.isBlank(), name + " must not be blank");
    }

    static void require(boolean condition, @Nullable String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
