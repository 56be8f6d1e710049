package dev.spur.service.operations.backup;

import dev.spur.service.startup.SpurProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spur restore FILE}. */
@Command(
        name = "restore",
        description = "Restore an export into an empty database. No replica may serve the database during the restore.",
        mixinStandardHelpOptions = true)
public final class RestoreCommand implements Runnable {
    @Parameters(paramLabel = "FILE", description = "File written by spur export or pg_dump (custom format).")
    private Path file = Path.of("");

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        if (!Files.isRegularFile(file)) {
            throw new ParameterException(spec.commandLine(), "There is no file %s.".formatted(file));
        }
        SpurProperties.requireFreeHome(false);
        spec.commandLine().getOut().println(ArchiveApplication.run(archive -> archive.restore(file)));
        spec.commandLine().getOut().flush();
    }
}
