package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Seconds since the machine started, including sleep. Other processes can read the same clock, unlike
 * {@link System#nanoTime}, and it is never adjusted, unlike the time of day.
 */
final class Uptime {
    private static final Path FILE = Path.of("/proc/uptime");

    private Uptime() {}

    static double seconds() {
        try {
            return Double.parseDouble(Files.readString(FILE).split(" ", 2)[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
