package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The server of a Spur home that another process runs.
 *
 * @param jdbcUrl URL to which clients of this machine connect
 * @param user the only user, a superuser
 * @param password password of the user
 */
public record RunningServer(String jdbcUrl, String user, String password) {

    /**
     * Returns the server of a home if its state file reports that it accepts connections. The file may be out of date
     * if the machine was switched off.
     *
     * @throws EmbeddedPostgresException if this user may not read the home
     */
    public static Optional<RunningServer> of(Path home) {
        try {
            Optional<PostmasterFile> server = PostmasterFile.in(PostgresHome.dataIn(home))
                    .filter(PostmasterFile::ready)
                    .filter(file -> ProcessHandle.of(file.process()).isPresent());
            if (server.isEmpty()) {
                return Optional.empty();
            }
            String password =
                    Files.readString(PostgresHome.passwordFileIn(home)).strip();
            return Optional.of(
                    new RunningServer(PostgresServer.url(server.get().port()), DataDirectory.USER, password));
        } catch (IOException exception) {
            throw new EmbeddedPostgresException(
                    "Cannot read the Spur home %s (%s). Run this as the user who runs the service."
                            .formatted(home, IoMessages.of(exception)),
                    exception);
        }
    }

    @Override
    public String toString() {
        return "RunningServer[%s, password hidden]".formatted(jdbcUrl);
    }
}
