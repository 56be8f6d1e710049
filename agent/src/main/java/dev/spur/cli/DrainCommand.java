package dev.spur.cli;

import picocli.CommandLine.Command;

/** Command {@code spur drain NODE...}. */
@Command(
        name = "drain",
        description = {
            "Drain nodes (state DRAINING): preemptible jobs move away, and no new job starts.",
            "Other jobs stay until they end. ./spur activate ends it."
        },
        mixinStandardHelpOptions = true)
public final class DrainCommand extends NodeChangeCommand {
    /** Creates the command. */
    public DrainCommand() {
        super("drain");
    }
}
