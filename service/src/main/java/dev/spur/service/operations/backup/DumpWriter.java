package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Exports an external database by {@code pg_dump}. The file is written completely or not at all. */
final class DumpWriter {
    private final Login login;
    private final ClientTools tools;

    DumpWriter(Login login) {
        this.login = login;
        this.tools = new ClientTools(login);
    }

    /**
     * Writes the file. Returns a description of its content.
     *
     * @throws StartupFailure if the file exists or cannot be written, or if the database cannot be read
     */
    String write(Path file) {
        if (Files.exists(file)) {
            throw new StartupFailure("The file %s already exists. Choose another file.".formatted(file));
        }
        String schema = schema();
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try {
            Files.deleteIfExists(partial);
            Files.createFile(
                    partial, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            tools.output(List.of(
                    "pg_dump",
                    "--format=custom",
                    "--no-owner",
                    "--no-privileges",
                    "--no-comments",
                    "--no-publications",
                    "--no-subscriptions",
                    "--no-password",
                    "--file=" + partial));
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            return "schema %s with pg_dump %s".formatted(schema, tools.version("pg_dump"));
        } catch (IOException e) {
            throw new StartupFailure("The database cannot be exported to %s: %s".formatted(file, e.getMessage()), e);
        } finally {
            delete(partial);
        }
    }

    /** Returns the version of the schema after all checks. */
    private String schema() {
        try (Connection connection = login.connect()) {
            tools.requireVersionOf(connection, "pg_dump");
            Catalog catalog = new Catalog(connection);
            if (!catalog.hasSchema()) {
                throw new StartupFailure("The database contains no Spur schema. Check the database URL.");
            }
            return catalog.schemaVersion();
        } catch (SQLException e) {
            throw Login.failure("The database cannot be exported", e);
        }
    }

    private static void delete(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            throw new StartupFailure("Cannot delete %s: %s".formatted(partial, e.getMessage()), e);
        }
    }
}
