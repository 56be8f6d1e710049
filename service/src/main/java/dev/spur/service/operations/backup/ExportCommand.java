package dev.spur.service.operations.backup;

import dev.spur.cli.ProgramVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spur export FILE}. */
@Command(
        name = "export",
        description = "Export all stored state to a file. Replicas may serve during the export.",
        mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "File to create; must not exist. Only its owner can read it.")
    private Path file = Path.of("");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.getRoot());
        if (Files.exists(file)) {
            throw refusal("The file %s already exists. Choose another file.".formatted(file));
        }
        if (!Files.isDirectory(folder)) {
            throw refusal("The directory %s of the file %s does not exist. Create it, or choose another file."
                    .formatted(folder, file));
        }
        if (!Files.isWritable(folder)) {
            throw refusal(
                    "The directory %s of the file %s is not writable. Choose another file.".formatted(folder, file));
        }
        String product = "Spur " + ProgramVersion.number();
        spec.commandLine().getOut().println(ArchiveApplication.run(archive -> archive.export(file, product)));
        spec.commandLine().getOut().flush();
        return 0;
    }

    /** A usage error, reported before Spring and PostgreSQL start, which takes seconds. */
    private ParameterException refusal(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
