package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Seconds since the machine started, time asleep included. Unlike {@link System#nanoTime}, other processes read the
 * same clock, and unlike the time of day nobody sets it.
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
