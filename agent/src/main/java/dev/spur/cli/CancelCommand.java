package dev.spur.cli;

import picocli.CommandLine.Command;

/** Command {@code spur cancel JOB...}. */
@Command(
        name = "cancel",
        description = {"Cancel jobs. Their progress and checkpoints are kept."},
        mixinStandardHelpOptions = true)
public final class CancelCommand extends JobChangeCommand {
    /** Creates the command. */
    public CancelCommand() {
        super("cancel");
    }
}
