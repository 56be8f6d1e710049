package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Migrations that run within a transaction of the caller. */
final class Schema {
    private static final String MIGRATIONS = "classpath:db/migrations";

    /** Methods of a connection that would end the transaction or the connection, and therefore do nothing here. */
    private static final Set<String> FORBIDDEN = Set.of("commit", "rollback", "setAutoCommit", "close");

    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private final Connection connection;

    Schema(Connection connection) {
        this.connection = connection;
    }

    /**
     * Checks, before a restore changes anything, that a file fits to the database.
     *
     * @param version version of the schema in the file
     * @param product program that wrote the file
     * @throws StartupFailure if the database is not empty, the schema is newer than this program, or the file is of the
     *     future
     */
    void requireRestorable(String file, String version, String product, Instant exportedAt) throws SQLException {
        Catalog catalog = new Catalog(connection);
        if (!catalog.isEmpty()) {
            throw new StartupFailure("The database is not empty, and nothing was changed. Restore into an empty one.");
        }
        if (isAhead(version)) {
            throw new StartupFailure(
                    "%s has schema %s and was written by %s; this Spur supports schemas up to %s. Restore it with a newer Spur."
                            .formatted(file, version, product, newest()));
        }
        if (exportedAt.isAfter(catalog.now().plus(CLOCKS_DIFFER))) {
            throw new StartupFailure(
                    "%s was exported at %s, but the clock of the database is at %s. Correct the clock: numbers jump by the time since the export."
                            .formatted(file, exportedAt, catalog.now()));
        }
    }

    /** Migrates to a version. */
    void migrateTo(String version) {
        flyway(MigrationVersion.fromVersion(version)).migrate();
    }

    /** Migrates to the newest version. */
    void migrate() {
        flyway(MigrationVersion.LATEST).migrate();
    }

    /** Returns the newest version of this program. */
    String newest() {
        return Arrays.stream(flyway(MigrationVersion.LATEST).info().all())
                .map(MigrationInfo::getVersion)
                .max(Comparator.naturalOrder())
                .map(MigrationVersion::getVersion)
                .orElseThrow();
    }

    /** Returns true if a version is newer than the newest version of this program. */
    boolean isAhead(String version) {
        return MigrationVersion.fromVersion(version).isNewerThan(newest());
    }

    private Flyway flyway(MigrationVersion target) {
        return Flyway.configure()
                .dataSource(new SingleConnectionDataSource(withoutEnds(), true))
                .locations(MIGRATIONS)
                .target(target)
                .load();
    }

    private Connection withoutEnds() {
        return (Connection) Proxy.newProxyInstance(
                Schema.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (FORBIDDEN.contains(method.getName())) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
