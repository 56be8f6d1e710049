package dev.spur.cli;

import picocli.CommandLine.Command;

/** Command {@code spur release JOB...}. */
@Command(
        name = "release",
        description = {"Release held jobs, so that rounds may start them again."},
        mixinStandardHelpOptions = true)
public final class ReleaseCommand extends JobChangeCommand {
    /** Creates the command. */
    public ReleaseCommand() {
        super("release");
    }
}
