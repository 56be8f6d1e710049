package dev.spur.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports all invalid arguments of a call, each in one or two lines with similar names, instead of the complete usage.
 * The exit code is 2.
 */
public final class UsageErrorHandler implements IParameterExceptionHandler {
    /** Lets a command line report all invalid arguments of a call, and run only a call without one. */
    static void addTo(CommandLine line) {
        UsageErrorHandler handler = new UsageErrorHandler();
        collectErrors(line);
        line.setParameterExceptionHandler(handler);
        line.setExecutionStrategy(call -> {
            List<ParameterException> errors = new ArrayList<>();
            for (ParseResult part = call; part != null; part = part.subcommand()) {
                part.errors().stream().map(ParameterException.class::cast).forEach(errors::add);
            }
            return errors.isEmpty() || isHelpRequested(call) ? new CommandLine.RunLast().execute(call) : report(errors);
        });
    }

    private static void collectErrors(CommandLine line) {
        line.getCommandSpec().parser().collectErrors(true);
        line.getSubcommands().values().forEach(UsageErrorHandler::collectErrors);
    }

    private static boolean isHelpRequested(ParseResult call) {
        return call.asCommandLineList().stream()
                .anyMatch(command -> command.isUsageHelpRequested() || command.isVersionHelpRequested());
    }

    @Override
    public int handleParseException(ParameterException error, String[] arguments) {
        return report(List.of(error));
    }

    private static int report(List<ParameterException> errors) {
        errors.forEach(UsageErrorHandler::print);
        CommandLine command = errors.get(errors.size() - 1).getCommandLine();
        command.getErr()
                .println("Try '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static void print(ParameterException error) {
        CommandLine command = error.getCommandLine();
        PrintWriter err = command.getErr();
        Optional<String> unknown = unknownCommand(error);
        if (unknown.isPresent()) {
            err.println("spur: Unknown command: " + unknown.get());
            printSimilar(command, unknown.get(), err);
        } else {
            err.println("spur: " + error.getMessage());
            UnmatchedArgumentException.printSuggestions(error, err);
        }
    }

    /** Returns the first word that is no command; empty for other errors. */
    private static Optional<String> unknownCommand(ParameterException error) {
        if (error instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !error.getCommandLine().getSubcommands().isEmpty()
                && !unmatched.getUnmatched().isEmpty()) {
            return Optional.of(unmatched.getUnmatched().get(0));
        }
        return Optional.empty();
    }

    private static void printSimilar(CommandLine command, String unknown, PrintWriter err) {
        String name = command.getCommandSpec().qualifiedName();
        String similar = SimilarNames.of(
                        unknown,
                        command.getSubcommands().entrySet().stream()
                                .filter(entry -> !entry.getValue()
                                        .getCommandSpec()
                                        .usageMessage()
                                        .hidden())
                                .map(Map.Entry::getKey)
                                .toList())
                .stream()
                .map(known -> name + " " + known)
                .collect(Collectors.joining(" or "));
        if (!similar.isEmpty()) {
            err.println("Did you mean: %s?".formatted(similar));
        }
    }
}
