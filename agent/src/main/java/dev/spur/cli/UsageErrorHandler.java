package dev.spur.cli;

import java.io.PrintWriter;
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
        err.println("spur: " + message(error));
        UnmatchedArgumentException.printSuggestions(error, err);
        err.println("Try '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String message(ParameterException error) {
        if (error instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !error.getCommandLine().getSubcommands().isEmpty()
                && !unmatched.getUnmatched().isEmpty()) {
            return "Unknown command: " + unmatched.getUnmatched().get(0);
        }
        return String.valueOf(error.getMessage());
    }
}
