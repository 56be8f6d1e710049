package dev.spur.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spur export FILE}. */
@Command(
        name = "export",
        description = "Writes everything that is stored into a file, while replicas go on serving.",
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "Where to; must not be there yet. Only its owner can read it.")
    private Path file = Path.of("");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        String product = new Spur.Version().getVersion()[0];
        spec.commandLine().getOut().println(ArchiveApplication.tell(archive -> archive.export(file, product)));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
