package dev.spur.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports invalid arguments in one or two lines with similar names, instead of the complete usage. The exit code is 2.
 */
public final class UsageErrorHandler implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException error, String[] arguments) {
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
        err.println("Try '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
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
