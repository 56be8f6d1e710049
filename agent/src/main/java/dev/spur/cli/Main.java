package dev.spur.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the program for nodes, which contains the agent and the client commands. */
@Command(description = "Agent and command-line client of the Spur scheduler.")
public final class Main extends ClientProgram {
    private static final int FAILED = 1;

    private Main() {}

    /** Runs a subcommand. The exit code is above 0 on failure. */
    public static void main(String[] args) {
        int status = commandLine(args).execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Returns the command line for a call with these arguments. */
    static CommandLine commandLine(String... arguments) {
        return commandLine(new Main(), arguments).setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("spur: " + failure.getMessage());
            return FAILED;
        });
    }
}
