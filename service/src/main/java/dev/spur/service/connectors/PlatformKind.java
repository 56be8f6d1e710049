package dev.spur.service.connectors;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A kind of platform with its settings. A new kind needs a record of settings under {@code spur.connectors} that
 * implements this interface; its platforms are then run, measured and shown like all others.
 */
interface PlatformKind {
    /** Returns its name in the API. */
    String kind();

    /** Returns the prefix of its settings, without a dot at the end. */
    default String prefix() {
        return "spur.connectors." + kind().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns its configured platforms; none without settings. No platform is called yet.
     *
     * @throws IllegalArgumentException if a setting is invalid
     */
    List<PlatformConnection> connections();

    /** Returns the path in a setting; empty for an empty setting. */
    static Optional<Path> path(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
    }
}
