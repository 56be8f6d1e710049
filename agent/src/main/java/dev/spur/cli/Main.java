package dev.spur.cli;

import dev.spur.agent.AgentCommand;
import dev.spur.agent.AggregatorCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point of the {@code spur} program, which contains the agent and the client commands. */
@Command(
        name = "spur",
        description = "Agent and command-line client of the Spur scheduler.",
        mixinStandardHelpOptions = true,
        subcommands = {
            AgentCommand.class,
            AggregatorCommand.class,
            SubmitCommand.class,
            JobsCommand.class,
            QueueCommand.class,
            WhyCommand.class,
            CancelCommand.class
        })
public final class Main implements Runnable {
    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs a subcommand. The exit code is above 0 on failure. */
    public static void main(String[] args) {
        int status = commandLine().execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler(new UsageErrorHandler())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("spur: " + failure.getMessage());
                    return FAILED;
                });
    }

    /** Prints the usage if no subcommand is given. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
