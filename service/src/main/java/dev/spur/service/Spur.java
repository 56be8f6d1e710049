package dev.spur.service;

import dev.spur.agent.AgentCommand;
import dev.spur.agent.AggregatorCommand;
import dev.spur.cli.CancelCommand;
import dev.spur.cli.JobsCommand;
import dev.spur.cli.QueueCommand;
import dev.spur.cli.SubmitCommand;
import dev.spur.cli.UsageErrorHandler;
import dev.spur.cli.WhyCommand;
import dev.spur.service.cli.solve.SolveCommand;
import dev.spur.simulator.command.ExperimentCommand;
import dev.spur.simulator.command.SimulateCommand;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Spec;

/** Entry point of {@code ./spur} with its subcommands. */
@Command(
        name = "spur",
        description = "Schedule deep-learning jobs on GPU clusters, with proved optimality gaps.",
        mixinStandardHelpOptions = true,
        versionProvider = Spur.Version.class,
        subcommands = {
            ServeCommand.class,
            SubmitCommand.class,
            JobsCommand.class,
            QueueCommand.class,
            WhyCommand.class,
            CancelCommand.class,
            AgentCommand.class,
            AggregatorCommand.class,
            ExportCommand.class,
            RestoreCommand.class,
            SolveCommand.class,
            SimulateCommand.class,
            ExperimentCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "Also: ./spur bench NAME (run a benchmark; ./spur bench lists them)",
            "      ./spur demo-training (run three small trainings on two nodes of this machine)"
        })
public final class Spur implements Runnable {

    private static final int FAILED = 1;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    Spur() {}

    /** Runs a subcommand and exits with a status above 0 if it fails. */
    public static void main(String[] args) {
        int status = commandLine().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Spur())
                .setExecutionExceptionHandler(Spur::reportFailure)
                .setParameterExceptionHandler(new UsageErrorHandler());
        Objects.requireNonNull(line.getSubcommands().get("help"))
                .getCommandSpec()
                .usageMessage()
                .hidden(true);
        return line;
    }

    /** {@code spur version}, the same as {@code spur --version}. */
    @Command(name = "version", description = "Print the version.", hidden = true)
    void version() {
        spec.commandLine().printVersionHelp(spec.commandLine().getOut());
    }

    /** Prints the usage if no subcommand is given. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int reportFailure(Exception failure, CommandLine command, CommandLine.ParseResult ignored) {
        command.getErr().println("spur: " + StartupFailureReporter.text(failure));
        return FAILED;
    }

    /** Version from {@code version.properties}, which the build writes. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() throws IOException {
            var properties = new Properties();
            try (InputStream file = Spur.class.getResourceAsStream("version.properties")) {
                properties.load(Objects.requireNonNull(file, "version.properties"));
            }
            return new String[] {"Spur " + properties.getProperty("version")};
        }
    }
}
