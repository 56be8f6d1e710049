package dev.spur.cli;

import dev.spur.agent.AgentCommand;
import dev.spur.agent.AggregatorCommand;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands that the program for nodes and the program of the service have in common. */
@Command(
        name = "spur",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {
            SubmitCommand.class,
            JobsCommand.class,
            QueueCommand.class,
            WhyCommand.class,
            LogsCommand.class,
            EventsCommand.class,
            CancelCommand.class,
            HoldCommand.class,
            ReleaseCommand.class,
            PriorityCommand.class,
            DescribeCommand.class,
            WaitCommand.class,
            RetryCommand.class,
            PlanCommand.class,
            NodesCommand.class,
            DrainCommand.class,
            CordonCommand.class,
            ActivateCommand.class,
            WhatIfCommand.class,
            RecommendCommand.class,
            ApplyCommand.class,
            OutcomesCommand.class,
            UsageCommand.class,
            TenantsCommand.class,
            TokenCommand.class,
            LoginCommand.class,
            SelfAuditCommand.class,
            AgentCommand.class,
            AggregatorCommand.class,
            CompletionCommand.class,
            CandidatesCommand.class,
            CommandLine.HelpCommand.class
        })
public abstract class ClientProgram implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Returns the command line of a program, which reports invalid arguments in one or two lines. */
    public static CommandLine commandLine(ClientProgram program) {
        CommandLine line = new CommandLine(program)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrorHandler());
        Objects.requireNonNull(line.getSubcommands().get("help"))
                .getCommandSpec()
                .usageMessage()
                .hidden(true);
        return line;
    }

    /** {@code spur version}, the same as {@code spur --version}. */
    @Command(name = "version", description = "Print the version.", mixinStandardHelpOptions = true, hidden = true)
    final void version() {
        spec.commandLine().printVersionHelp(spec.commandLine().getOut());
    }

    /** Prints the usage if no subcommand is given. */
    @Override
    public final void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
