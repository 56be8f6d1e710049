package dev.spur.service.postgres;

import dev.spur.service.IoMessages;
import dev.spur.service.StartupFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The server of a Spur home that another process runs. */
final class RunningServer {
    private RunningServer() {}

    /**
     * Returns the server if it accepts connections.
     *
     * @throws StartupFailure if this user may not read the home
     */
    static Optional<Database> of(Path home) {
        try {
            Optional<PostmasterFile> server = PostmasterFile.in(PostgresHome.dataIn(home))
                    .filter(PostmasterFile::ready)
                    .filter(file -> ProcessHandle.of(file.process()).isPresent());
            if (server.isEmpty()) {
                return Optional.empty();
            }
            String password =
                    Files.readString(PostgresHome.passwordFileIn(home)).strip();
            return answering(PostgresServer.url(server.get().port()), password);
        } catch (IOException e) {
            throw new StartupFailure(
                    "Cannot read the Spur home %s (%s). Run this as the user who runs the service."
                            .formatted(home, IoMessages.of(e)),
                    e);
        }
    }

    private static Optional<Database> answering(String url, String password) {
        try {
            return Optional.of(ExternalDatabase.connect(new DatabaseUrl(url, DataDirectory.USER, password)));
        } catch (StartupFailure gone) {
            return Optional.empty();
        }
    }
}
