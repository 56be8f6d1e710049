package dev.spur.cli;

import dev.spur.agent.AgentCommand;
import dev.spur.agent.AggregatorCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The small program: the agent and the commands for people, without the service. */
@Command(
        name = "spur",
        description = "Runs jobs on a node, and asks the service.",
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

    /** Runs a subcommand; ends the process with a status above 0 when it fails. */
    public static void main(String[] args) {
        int status = new CommandLine(new Main())
                .setParameterExceptionHandler(new UsageErrorHandler())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("spur: " + failure.getMessage());
                    return FAILED;
                })
                .execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Without a subcommand there is nothing to do but to say what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
