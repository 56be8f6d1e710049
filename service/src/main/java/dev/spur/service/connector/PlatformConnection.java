package dev.spur.service.connector;

import dev.spur.connectors.Platform;

/**
 * A platform that is configured.
 *
 * @param name name of its connector, unlike that of any other
 * @param kind kind of platform, as in the API
 * @param platform the platform
 * @param translation how its jobs become jobs here
 */
record PlatformConnection(String name, String kind, Platform platform, JobTranslator translation) {}
