package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.nio.file.Path;

/**
 * Export of all stored data to a file, and restore from such a file. Each method returns a message that describes what
 * it did.
 */
interface Archive {
    /**
     * Writes the whole content of the configured database to a file. Replicas may serve the database meanwhile.
     *
     * @param product name and version of the program that writes the file
     * @throws StartupFailure if the export fails
     */
    String export(Path file, String product);

    /**
     * Loads an exported file into the configured database, which must be empty.
     *
     * @throws StartupFailure if the restore fails; the database is then unchanged
     */
    String restore(Path file);
}
