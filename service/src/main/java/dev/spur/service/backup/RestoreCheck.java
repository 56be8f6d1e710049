package dev.spur.service.backup;

import dev.spur.service.StartupFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Checks, before a restore changes anything, that a file fits to the database. */
final class RestoreCheck {
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private final Catalog catalog;
    private final Schema schema;

    RestoreCheck(Connection connection) {
        this.catalog = new Catalog(connection);
        this.schema = new Schema(connection);
    }

    /**
     * Checks the database and the properties of a file.
     *
     * @param version version of the schema in the file
     * @param product program that wrote the file
     * @throws StartupFailure if the database is not empty, the schema is newer than this program, or the file is of the
     *     future
     */
    void require(String file, String version, String product, Instant exportedAt) throws SQLException {
        if (!catalog.isEmpty()) {
            throw new StartupFailure("The database is not empty, and nothing was changed. Restore into an empty one.");
        }
        if (schema.isAhead(version)) {
            throw new StartupFailure(
                    "%s has schema %s and was written by %s; this Spur supports schemas up to %s. Restore it with a newer Spur."
                            .formatted(file, version, product, schema.newest()));
        }
        if (exportedAt.isAfter(catalog.now().plus(CLOCKS_DIFFER))) {
            throw new StartupFailure(
                    "%s was exported at %s, but the clock of the database is at %s. Correct the clock: numbers jump by the time since the export."
                            .formatted(file, exportedAt, catalog.now()));
        }
    }
}
