package dev.spur.cli;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    /** Prints the commands that differ in a third of the characters or less. */
    private static void printSimilar(CommandLine command, String unknown, PrintWriter err) {
        String name = command.getCommandSpec().qualifiedName();
        String similar = command.getSubcommands().entrySet().stream()
                .filter(entry ->
                        !entry.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .filter(known -> distance(unknown, known) <= Math.max(1, unknown.length() / 3))
                .sorted(Comparator.comparingInt(known -> distance(unknown, known)))
                .map(known -> name + " " + known)
                .collect(Collectors.joining(" or "));
        if (!similar.isEmpty()) {
            err.println("Did you mean: %s?".formatted(similar));
        }
    }

    /** Levenshtein distance. */
    private static int distance(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
