package dev.spur.service.operations.backup;

import dev.spur.service.operations.backup.Catalog.BackupTable;
import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/** Restores an export into an empty database, in one transaction. After a failure the database is still empty. */
public final class Restorer {
    private static final int BUFFER = 1 << 16;

    private final Login login;

    /** Creates a restorer for this database. */
    public Restorer(Login login) {
        this.login = login;
    }

    /**
     * Restores an export. Returns the version of the schema that the database has then.
     *
     * @throws StartupFailure if the database is not empty, or the export does not match the schema
     */
    public String restore(ExportFile file) {
        try (Connection connection = login.connect()) {
            String schema = new Restoration(connection, file).run();
            connection.commit();
            connection.setAutoCommit(true);
            execute(connection, "analyze");
            return schema;
        } catch (SQLException e) {
            throw Login.failure("%s cannot be restored, and nothing was changed".formatted(file), e);
        } catch (IOException e) {
            throw new StartupFailure(
                    "%s cannot be read, and nothing was changed: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A restore, up to its commit. */
    private static final class Restoration {
        private final Connection connection;
        private final ExportFile file;
        private final Manifest manifest;
        private final Catalog catalog;
        private final Schema schema;

        Restoration(Connection connection, ExportFile file) {
            this.connection = connection;
            this.file = file;
            this.manifest = file.manifest();
            this.catalog = new Catalog(connection);
            this.schema = new Schema(connection);
        }

        String run() throws SQLException, IOException {
            schema.requireRestorable(file.toString(), manifest.schema(), manifest.product(), manifest.exportedAt());
            schema.migrateTo(manifest.schema());
            List<BackupTable> tables = tablesOfTheExport();
            for (BackupTable table : tables) {
                execute(connection, "alter table %s disable trigger user".formatted(table.quote()));
            }
            load(tables);
            setSequences();
            for (BackupTable table : tables) {
                execute(connection, "alter table %s enable trigger user".formatted(table.quote()));
            }
            schema.migrate();
            writeDown();
            return catalog.schemaVersion();
        }

        /** Returns the tables, each after those that it refers to. They must be the same as those of the export. */
        private List<BackupTable> tablesOfTheExport() throws SQLException {
            List<BackupTable> tables = catalog.tables();
            var exported = manifest.tables().stream().map(Manifest.Part::table).collect(Collectors.toSet());
            if (!exported.equals(new HashSet<>(tables))) {
                throw new StartupFailure("The tables of %s do not match schema %s; nothing was changed."
                        .formatted(file, manifest.schema()));
            }
            return tables;
        }

        private void load(List<BackupTable> tables) throws SQLException, IOException {
            execute(
                    connection,
                    tables.stream().map(BackupTable::quote).collect(Collectors.joining(", ", "truncate ", "")));
            Map<String, Manifest.Part> parts = new HashMap<>();
            manifest.tables().forEach(part -> parts.put(part.name(), part));
            for (BackupTable table : tables) {
                Manifest.Part part = Objects.requireNonNull(parts.get(table.name()), table.name());
                try (InputStream rows = file.rows(part)) {
                    long copied = connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyIn("copy %s from stdin".formatted(table.withColumns()), rows, BUFFER);
                    if (copied != part.rows()) {
                        throw new IOException("only %d of %d rows of table %s were copied"
                                .formatted(copied, part.rows(), part.name()));
                    }
                }
            }
        }

        private void setSequences() throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("select setval(cast(quote_ident(?) as regclass), ?)")) {
                for (Manifest.Counter sequence : manifest.sequences()) {
                    statement.setString(1, sequence.name());
                    statement.setLong(2, sequence.value());
                    statement.execute();
                }
            }
        }

        /** Records the restore, so that the next replica that starts runs the recovery first. */
        private void writeDown() throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("insert into restoration (exported_at) values (?)")) {
                statement.setObject(1, manifest.exportedAt().atOffset(ZoneOffset.UTC));
                statement.execute();
            }
        }
    }
}
