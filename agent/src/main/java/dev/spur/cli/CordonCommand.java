package dev.spur.cli;

import picocli.CommandLine.Command;

/** Command {@code spur cordon NODE...}. */
@Command(
        name = "cordon",
        description = {
            "Cordon nodes (state CORDONED): jobs stay until they end, and no new job starts.",
            "./spur activate ends it."
        },
        mixinStandardHelpOptions = true)
public final class CordonCommand extends NodeChangeCommand {
    /** Creates the command. */
    public CordonCommand() {
        super("cordon");
    }
}
