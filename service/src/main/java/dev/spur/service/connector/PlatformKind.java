package dev.spur.service.connector;

import java.util.List;

/**
 * A kind of platform, with the settings that its platforms are configured by. To add one takes a record of settings
 * under {@code spur.connectors} that implements this: what it connects is run, measured and shown like all others.
 */
interface PlatformKind {
    /** Its name in the API. */
    String kind();

    /** Where its settings stand, without a dot at the end. */
    String prefix();

    /**
     * Its platforms that are configured; none without settings. Nothing is called yet.
     *
     * @throws IllegalArgumentException if a setting is wrong
     */
    List<PlatformConnection> connections();
}
