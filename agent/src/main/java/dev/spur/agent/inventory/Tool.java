package dev.spur.agent.inventory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a system program to completion. */
final class Tool {
    private static final long LIMIT_SECONDS = 30;

    private Tool() {}

    /** Output and exit status of a program. */
    record Output(int status, String text) {}

    /**
     * Runs a program; empty if it has not ended after half a minute. The caller does not wait for the kill, because a
     * hanging driver can prevent it.
     *
     * @throws IOException if the program does not exist
     */
    static Optional<Output> run(List<String> command) throws IOException {
        Path file = Files.createTempFile("spur-agent", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(file.toFile())
                    .start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            return Optional.of(new Output(process.exitValue(), Files.readString(file)));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
