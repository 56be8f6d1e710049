package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command {@code spur token} with its subcommands. */
@Command(
        name = "token",
        description = "Issue, list and revoke tokens of the service.",
        subcommands = {TokenCreateCommand.class, TokenListCommand.class, TokenRevokeCommand.class},
        mixinStandardHelpOptions = true)
public final class TokenCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "No subcommand; expected create, list or revoke.");
    }
}
