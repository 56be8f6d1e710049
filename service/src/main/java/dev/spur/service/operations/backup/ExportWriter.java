package dev.spur.service.operations.backup;

import dev.spur.model.json.RoundJson;
import dev.spur.service.operations.backup.Catalog.BackupTable;
import dev.spur.service.security.Sha256;
import dev.spur.service.startup.StartupFailure;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.postgresql.PGConnection;

/**
 * Exports a database as of one moment into a file that only its owner can read. The file is written completely or not
 * at all.
 */
public final class ExportWriter {
    private final Login login;
    private final String product;

    /** Creates a writer. {@code product} is the name and version of the exporting program. */
    public ExportWriter(Login login, String product) {
        this.login = login;
        this.product = product;
    }

    /**
     * Writes the file and returns its manifest.
     *
     * @throws StartupFailure if the file exists or cannot be written, or if the database cannot be read
     */
    public Manifest write(Path file) {
        if (Files.exists(file)) {
            throw new StartupFailure("The file %s already exists. Choose another file.".formatted(file));
        }
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try {
            Manifest manifest = writePrivately(partial);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            return manifest;
        } catch (IOException e) {
            throw new StartupFailure("Cannot write %s: %s".formatted(file, e.getMessage()), e);
        } catch (SQLException e) {
            throw Login.failure("The database cannot be exported", e);
        } finally {
            delete(partial);
        }
    }

    private Manifest writePrivately(Path partial) throws IOException, SQLException {
        Files.deleteIfExists(partial);
        Files.createFile(partial, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE);
                ZipOutputStream zip =
                        new ZipOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16))) {
            Manifest manifest = writeTables(zip);
            zip.putNextEntry(new ZipEntry(Manifest.ENTRY));
            zip.write(RoundJson.mapper().writeValueAsBytes(manifest));
            zip.closeEntry();
            zip.finish();
            zip.flush();
            channel.force(true);
            return manifest;
        }
    }

    private Manifest writeTables(ZipOutputStream zip) throws IOException, SQLException {
        try (Connection connection = login.connect()) {
            Catalog catalog = new Catalog(connection);
            if (!catalog.hasSchema()) {
                throw new StartupFailure("The database contains no Spur schema. Check the database URL.");
            }
            List<BackupTable> tables = catalog.tables();
            connection.commit();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            keepFromChanging(connection, tables);
            if (!catalog.tables().equals(tables)) {
                throw new StartupFailure("A migration is in progress. Export again after it has ended.");
            }
            List<Manifest.Part> parts = new ArrayList<>();
            for (BackupTable table : tables) {
                parts.add(copy(connection, table, zip));
            }
            return new Manifest(
                    Manifest.FORMAT, product, catalog.schemaVersion(), catalog.now(), parts, catalog.sequences());
        }
    }

    /**
     * Locks the tables against migrations only. The locks are taken before the first query, which fixes the moment of
     * the snapshot.
     */
    private static void keepFromChanging(Connection connection, List<BackupTable> tables) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(tables.stream()
                    .map(BackupTable::quote)
                    .collect(Collectors.joining(", ", "lock table ", " in access share mode")));
        }
    }

    private static Manifest.Part copy(Connection connection, BackupTable table, ZipOutputStream zip)
            throws IOException, SQLException {
        Manifest.Part name = new Manifest.Part(table.name(), table.columns(), 0, "");
        zip.putNextEntry(new ZipEntry(name.entry()));
        MessageDigest digest = Sha256.digest();
        OutputStream out = new DigestOutputStream(zip, digest);
        long rows = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("copy %s to stdout".formatted(table.withColumns()), out);
        zip.closeEntry();
        return new Manifest.Part(
                table.name(), table.columns(), rows, HexFormat.of().formatHex(digest.digest()));
    }

    private static void delete(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            throw new StartupFailure("Cannot delete %s: %s".formatted(partial, e.getMessage()), e);
        }
    }
}
