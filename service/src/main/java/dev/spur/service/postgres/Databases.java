package dev.spur.service.postgres;

import dev.spur.service.SpurProperties;
import dev.spur.service.StartupFailure;
import java.nio.file.Files;
import java.nio.file.Path;

/** The database that the configuration names: somebody else's, or our own. */
public final class Databases {
    private Databases() {}

    /**
     * Connects to the database that is configured, or starts our own.
     *
     * @throws StartupFailure when that is not possible
     */
    public static Database open(SpurProperties properties) {
        return isOwn(properties)
                ? PostgresServer.start(properties.home())
                : ExternalDatabase.connect(DatabaseUrl.of(properties.database()));
    }

    /**
     * The same beside a service that may be running: our own server is started only if no other process has done so.
     *
     * @throws StartupFailure when that is not possible, or there never was a database
     */
    public static Database join(SpurProperties properties) {
        if (!isOwn(properties)) {
            return open(properties);
        }
        Path data = PostgresHome.dataIn(properties.home());
        if (!Files.isDirectory(data)) {
            throw new StartupFailure("There is no database in the Spur home %s.".formatted(properties.home()));
        }
        return RunningServer.of(properties.home()).orElseGet(() -> open(properties));
    }

    private static boolean isOwn(SpurProperties properties) {
        return properties.database().url().isBlank();
    }
}
