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
        err.println("spur: " + error.getMessage());
        UnmatchedArgumentException.printSuggestions(error, err);
        err.println("Try '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
