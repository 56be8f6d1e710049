package dev.spur.cli;

import dev.spur.agent.AgentCommand;
import dev.spur.agent.AggregatorCommand;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands that the program for nodes and the program of the service have in common. */
@Command(name = "spur", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class)
public abstract class ClientProgram implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
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
            JobEditCommand.class,
            DescribeCommand.class,
            WaitCommand.class,
            RetryCommand.class,
            PlanCommand.class,
            NodesCommand.class,
            DrainCommand.class,
            CordonCommand.class,
            LabelCommand.class,
            ActivateCommand.class,
            WhatIfCommand.class,
            RecommendCommand.class,
            ApplyCommand.class,
            OutcomesCommand.class,
            UsageCommand.class,
            TenantsCommand.class,
            TokenCommand.class,
            LoginCommand.class,
            AgentCommand.class,
            AggregatorCommand.class,
            CompletionCommand.class,
            CandidatesCommand.class,
            CommandLine.HelpCommand.class);

    /** Arguments that need no other command. */
    private static final Set<String> ALONE = Set.of("version", "--version", "-V");

    /** Commands that read the other commands. */
    private static final Set<Class<?>> READERS = Set.of(CompletionCommand.class, CommandLine.HelpCommand.class);

    @Spec
    private CommandSpec spec;

    /** Returns the command line of a program, which reports invalid arguments in one or two lines. */
    public static CommandLine commandLine(ClientProgram program) {
        return commandLine(program, COMMANDS);
    }

    /**
     * Returns the command line for one call. It has only the command that the first argument names, because picocli
     * needs most of the time of a short command to build the others. Without such a command it has all of them.
     */
    static CommandLine commandLine(ClientProgram program, String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        List<Class<?>> named = COMMANDS.stream()
                .filter(command -> name(command).equals(first) && !READERS.contains(command))
                .toList();
        return commandLine(program, named.isEmpty() && !ALONE.contains(first) ? COMMANDS : named);
    }

    private static CommandLine commandLine(ClientProgram program, List<Class<?>> commands) {
        CommandLine line = new CommandLine(program);
        commands.forEach(line::addSubcommand);
        Optional.ofNullable(line.getSubcommands().get("help"))
                .ifPresent(help -> help.getCommandSpec().usageMessage().hidden(true));
        UsageErrorHandler.addTo(line);
        return line.setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static String name(Class<?> command) {
        return Objects.requireNonNull(command.getAnnotation(Command.class)).name();
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
