package dev.spur.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code spur completion SHELL}. */
@Command(
        name = "completion",
        description = "Print the completion script of a shell. Load it with: source <(./spur completion bash)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
    /** A supported shell; the script of picocli serves both. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine program = spec.root().commandLine();
        program.getOut().println("# Completion of %s.".formatted(shell));
        program.getOut().print(AutoComplete.bash(program.getCommandName(), program));
        program.getOut().flush();
    }
}
