package dev.spur.cli;

import picocli.CommandLine.Command;

/** Command {@code spur activate NODE...}. */
@Command(
        name = "activate",
        description = {
            "Activate nodes (state ACTIVE): jobs run, and new jobs may start.",
            "It ends ./spur drain and ./spur cordon."
        },
        mixinStandardHelpOptions = true)
public final class ActivateCommand extends NodeChangeCommand {
    /** Creates the command. */
    public ActivateCommand() {
        super("activate");
    }
}
