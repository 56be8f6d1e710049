package dev.spur.service.operations.backup;

import dev.spur.service.database.postgres.Database;
import dev.spur.service.database.postgres.Databases;
import dev.spur.service.startup.SpurProperties;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import org.springframework.stereotype.Component;

/**
 * Exports and restores the configured database: an external one by {@code pg_dump}, the embedded one, whose
 * distribution contains no client tools, as {@link ExportFile}. Either file can be restored into either database.
 */
@Component
class FileArchive implements Archive {
    private final SpurProperties properties;

    FileArchive(SpurProperties properties) {
        this.properties = properties;
    }

    @Override
    public String export(Path file, String product) {
        try (Database database = Databases.join(properties)) {
            if (!properties.isEmbedded()) {
                return "Exported %s to %s.".formatted(new DumpWriter(login(database)).write(file), file);
            }
            Manifest manifest = new ExportWriter(login(database), product).write(file);
            return "Exported %s to %s.".formatted(content(manifest), file);
        }
    }

    @Override
    public String restore(Path path) {
        if (DumpArchive.matches(path)) {
            try (Database database = Databases.open(properties)) {
                return "Restored %s.".formatted(new DumpRestorer(login(database)).restore(path));
            }
        }
        try (ExportFile file = ExportFile.open(path);
                Database database = Databases.open(properties)) {
            String schema = new Restorer(login(database)).restore(file);
            return "Restored %s, written by %s; the schema is %s now."
                    .formatted(content(file.manifest()), file.manifest().product(), schema);
        }
    }

    private static Login login(Database database) {
        return new Login(database.jdbcUrl(), database.user(), database.password());
    }

    private static String content(Manifest manifest) {
        return "%d rows of %d tables as of %s, schema %s"
                .formatted(
                        manifest.rows(),
                        manifest.tables().size(),
                        manifest.exportedAt().truncatedTo(ChronoUnit.SECONDS),
                        manifest.schema());
    }
}
