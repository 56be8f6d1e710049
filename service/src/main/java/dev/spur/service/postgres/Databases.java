package dev.spur.service.postgres;

import dev.spur.service.SpurProperties;
import dev.spur.service.StartupFailure;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configured database: an external one, or the bundled one. */
public final class Databases {
    private Databases() {}

    /**
     * Connects to the configured database, or starts the bundled one.
     *
     * @throws StartupFailure if that is not possible
     */
    public static Database open(SpurProperties properties) {
        return isOwn(properties)
                ? PostgresServer.start(properties.home())
                : ExternalDatabase.connect(DatabaseUrl.of(properties.database()));
    }

    /**
     * Connects alongside a service that may be running. The bundled server is started only if no other process runs it.
     *
     * @throws StartupFailure if that is not possible, or if the database was never created
     */
    public static Database join(SpurProperties properties) {
        if (!isOwn(properties)) {
            return open(properties);
        }
        Path data = PostgresHome.dataIn(properties.home());
        if (!Files.isDirectory(data)) {
            throw new StartupFailure("The Spur home %s contains no database. Start the service once, or set SPUR_HOME."
                    .formatted(properties.home()));
        }
        return RunningServer.of(properties.home()).orElseGet(() -> open(properties));
    }

    private static boolean isOwn(SpurProperties properties) {
        return properties.database().url().isBlank();
    }
}
