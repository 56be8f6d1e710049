package dev.spur.service.operations.backup;

import dev.spur.service.startup.StartupFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Restores an archive of {@code pg_dump} into an empty database. {@code pg_restore} writes SQL, which {@code psql}
 * executes in one transaction together with the row that requires the recovery. After a failure or a kill, the database
 * is still empty.
 */
final class DumpRestorer {
    private static final String LOADED = "the archive is loaded";

    private final Login login;
    private final ClientTools tools;

    DumpRestorer(Login login) {
        this.login = login;
        this.tools = new ClientTools(login);
    }

    /**
     * Restores the archive. Returns a description of its content.
     *
     * @throws StartupFailure if the database is not empty, or if the archive does not fit
     */
    String restore(Path file) {
        DumpArchive archive = DumpArchive.read(file, tools);
        tools.version("psql");
        try (Connection connection = login.connect()) {
            new Schema(connection)
                    .requireRestorable(
                            file.toString(), archive.schema(), "pg_dump " + archive.tool(), archive.createdAt());
            connection.rollback();
            load(archive);
            new Schema(connection).migrate();
            connection.commit();
            connection.setAutoCommit(true);
            try (var statement = connection.createStatement()) {
                statement.execute("analyze");
            }
            return "the database as of %s, written by pg_dump %s; the schema is %s now"
                    .formatted(archive.createdAt(), archive.tool(), new Catalog(connection).schemaVersion());
        } catch (SQLException e) {
            throw Login.failure("%s cannot be restored".formatted(file), e);
        } catch (IOException e) {
            throw new StartupFailure(
                    "%s cannot be restored, and nothing was changed: %s".formatted(file, e.getMessage()), e);
        }
    }

    private void load(DumpArchive archive) throws IOException {
        Path readErrors = Files.createTempFile("spur", ".err");
        Path writeErrors = Files.createTempFile("spur", ".err");
        try {
            Process reader = tools.start(
                    List.of(
                            "pg_restore",
                            "--file=-",
                            "--no-owner",
                            "--no-privileges",
                            "--no-comments",
                            archive.file().toString()),
                    readErrors);
            Process writer = tools.start(
                    List.of(
                            "psql",
                            "--no-psqlrc",
                            "--quiet",
                            "--no-password",
                            "--set=ON_ERROR_STOP=1",
                            "--tuples-only",
                            "--no-align"),
                    writeErrors);
            Optional<IOException> failure = transfer(archive, reader, readErrors, writer);
            reader.destroy();
            // An error of psql closes its input, and is then the cause of the other failure.
            ClientTools.requireSuccess(writer, writeErrors);
            if (failure.isPresent()) {
                throw failure.get();
            }
        } finally {
            Files.delete(readErrors);
            Files.delete(writeErrors);
        }
    }

    /**
     * Commits only after psql has executed the whole archive. At the end of its input, psql rolls back; if this process
     * is killed, no commit follows.
     */
    private static Optional<IOException> transfer(
            DumpArchive archive, Process reader, Path readErrors, Process writer) {
        try (OutputStream sql = writer.getOutputStream();
                InputStream dump = reader.getInputStream();
                BufferedReader answers = writer.inputReader(StandardCharsets.UTF_8)) {
            sql.write(bytes("begin;\n"));
            dump.transferTo(sql);
            ClientTools.requireSuccess(reader, readErrors);
            sql.write(bytes("insert into %s.restoration (exported_at) values ('%s');\nselect '%s';\n"
                    .formatted(archive.namespace(), archive.createdAt(), LOADED)));
            sql.flush();
            if (answers.lines().noneMatch(LOADED::equals)) {
                throw new IOException("psql ended before the archive was loaded");
            }
            sql.write(bytes("commit;\n"));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        }
    }

    private static byte[] bytes(String sql) {
        return sql.getBytes(StandardCharsets.UTF_8);
    }
}
