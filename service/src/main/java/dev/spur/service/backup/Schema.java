package dev.spur.service.backup;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
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
    private static final Set<String> KEPT_FROM_IT = Set.of("commit", "rollback", "setAutoCommit", "close");

    private final Connection connection;

    Schema(Connection connection) {
        this.connection = connection;
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
                    if (KEPT_FROM_IT.contains(method.getName())) {
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
