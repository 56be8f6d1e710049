package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals to processes and process groups, which the Java API does not support. */
final class Signals {
    static final String TERM = "TERM";
    static final String KILL = "KILL";
    /** Signal that processes ignore by default. */
    static final String URGENT = "URG";

    private Signals() {}

    /** Sends a signal to the process group of {@code leader}. No effect if the group has ended. */
    static void toGroup(long leader, String signal) {
        send(signal, "-" + leader);
    }

    static void to(long process, String signal) {
        send(signal, Long.toString(process));
    }

    private static void send(String signal, String target) {
        try {
            new ProcessBuilder("sh", "-c", "kill -s \"$1\" -- \"$2\"", "sh", signal, target)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
