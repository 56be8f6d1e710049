package dev.spur.service.connectors;

import dev.spur.connectors.Platform;

/**
 * A configured platform.
 *
 * @param name unique name of its connector
 * @param kind kind of platform, as in the API
 * @param translation translator of its jobs
 */
record PlatformConnection(String name, String kind, Platform platform, JobTranslator translation) {}
