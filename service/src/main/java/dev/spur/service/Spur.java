package dev.spur.service;

import dev.spur.cli.ClientProgram;
import dev.spur.service.operations.backup.ExportCommand;
import dev.spur.service.operations.backup.RestoreCommand;
import dev.spur.service.operations.solve.SolveCommand;
import dev.spur.service.startup.StartupFailureReporter;
import dev.spur.simulator.command.ExperimentCommand;
import dev.spur.simulator.command.SelfAuditCommand;
import dev.spur.simulator.command.SimulateCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code ./spur} with its subcommands. */
@Command(
        description = "Schedule deep-learning jobs on GPU clusters, with proved optimality gaps.",
        subcommands = {
            ServeCommand.class,
            ExportCommand.class,
            RestoreCommand.class,
            SolveCommand.class,
            SimulateCommand.class,
            SelfAuditCommand.class,
            ExperimentCommand.class
        },
        footer = {
            "",
            "Also: ./spur bench NAME (run a benchmark; ./spur bench lists them)",
            "      ./spur demo-training (run small trainings on two nodes of this machine)"
        })
public final class Spur extends ClientProgram {

    private static final int FAILED = 1;

    Spur() {}

    /** Runs a subcommand and exits with a status above 0 if it fails. */
    public static void main(String[] args) {
        int status = commandLine().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commandLine() {
        return commandLine(new Spur()).setExecutionExceptionHandler(Spur::reportFailure);
    }

    private static int reportFailure(Exception failure, CommandLine command, CommandLine.ParseResult ignored) {
        command.getErr().println("spur: " + StartupFailureReporter.text(failure));
        return FAILED;
    }
}
