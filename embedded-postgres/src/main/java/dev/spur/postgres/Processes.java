package dev.spur.postgres;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Waits for processes, and finds programs. */
final class Processes {

    private static final long POLL_MILLIS = 20;

    private Processes() {}

    /** Returns true if the process ended within the limit. */
    static boolean awaitExit(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException exception) {
            throw interruption(exception);
        }
    }

    /** Returns true if the condition became true within the limit. */
    static boolean await(BooleanSupplier condition, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException exception) {
                throw interruption(exception);
            }
        }
        return true;
    }

    /** Returns true if a program of this name is on the path. */
    static boolean isInstalled(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, program))
                .anyMatch(Files::isExecutable);
    }

    private static EmbeddedPostgresException interruption(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EmbeddedPostgresException("Interrupted while waiting for PostgreSQL", e);
    }
}
