package dev.spur.service;

import java.nio.file.Path;

/** Everything that is stored, as a file and back. Each method says in a sentence what it did. */
public interface Archive {
    /**
     * Writes everything that the configured database holds into a file, beside a service that may be running.
     *
     * @param product name and version of who writes
     * @throws StartupFailure if it cannot
     */
    String export(Path file, String product);

    /**
     * Brings such a file into the configured database, which must be empty.
     *
     * @throws StartupFailure if it cannot; then nothing was changed
     */
    String restore(Path file);
}
