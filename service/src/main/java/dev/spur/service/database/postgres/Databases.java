package dev.spur.service.database.postgres;

import dev.spur.postgres.PostgresServer;
import dev.spur.postgres.RunningServer;
import dev.spur.service.startup.SpurProperties;
import dev.spur.service.startup.StartupFailure;
import java.util.Optional;

/** The configured database: an external one, or the embedded one. */
public final class Databases {
    private Databases() {}

    /**
     * Connects to the configured database, or starts the embedded one.
     *
     * @throws StartupFailure if that is not possible
     */
    public static Database open(SpurProperties properties) {
        return properties.isEmbedded()
                ? new EmbeddedDatabase(PostgresServer.start(properties.home()))
                : ExternalDatabase.connect(DatabaseUrl.of(properties.database()));
    }

    /**
     * Connects alongside a service that may be running. The embedded server is started only if no other process runs
     * it.
     *
     * @throws StartupFailure if that is not possible, or if the database was never created
     */
    public static Database join(SpurProperties properties) {
        if (!properties.isEmbedded()) {
            return open(properties);
        }
        if (!PostgresServer.hasDatabase(properties.home())) {
            throw new StartupFailure("The Spur home %s contains no database. Start the service once, or set SPUR_HOME."
                    .formatted(properties.home()));
        }
        return RunningServer.of(properties.home()).flatMap(Databases::connect).orElseGet(() -> open(properties));
    }

    private static Optional<Database> connect(RunningServer server) {
        try {
            return Optional.of(
                    ExternalDatabase.connect(new DatabaseUrl(server.jdbcUrl(), server.user(), server.password())));
        } catch (StartupFailure stopped) {
            return Optional.empty();
        }
    }
}
