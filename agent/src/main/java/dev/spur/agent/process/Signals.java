package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals to processes and to groups of them, which Java alone cannot. */
final class Signals {
    static final String TERM = "TERM";
    static final String KILL = "KILL";
    /** Ignored by who has not asked for it. */
    static final String URGENT = "URG";

    private Signals() {}

    /** To every process of the group that {@code leader} leads; whoever is gone does not mind. */
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
