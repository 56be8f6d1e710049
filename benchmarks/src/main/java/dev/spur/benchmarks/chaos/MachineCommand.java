package dev.spur.benchmarks.chaos;

import java.io.IOException;

/** Command of the operating system. */
final class MachineCommand {
    private MachineCommand() {}

    /** Runs a command without its output; returns its exit status. */
    static int run(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
