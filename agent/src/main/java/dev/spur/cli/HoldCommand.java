package dev.spur.cli;

import picocli.CommandLine.Command;

/** Command {@code spur hold JOB...}. */
@Command(
        name = "hold",
        description = {
            "Hold jobs: no round starts them, and the next round stops those that run.",
            "./spur release continues them. A running job that is not preemptible cannot be held."
        },
        mixinStandardHelpOptions = true)
public final class HoldCommand extends JobChangeCommand {
    /** Creates the command. */
    public HoldCommand() {
        super("hold");
    }
}
