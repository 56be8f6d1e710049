package dev.spur.service.connector;

import java.util.List;

/**
 * A kind of platform with its settings. A new kind needs a record of settings under {@code spur.connectors} that
 * implements this interface; its platforms are then run, measured and shown like all others.
 */
interface PlatformKind {
    /** Returns its name in the API. */
    String kind();

    /** Returns the prefix of its settings, without a dot at the end. */
    String prefix();

    /**
     * Returns its configured platforms; none without settings. No platform is called yet.
     *
     * @throws IllegalArgumentException if a setting is invalid
     */
    List<PlatformConnection> connections();
}
