package dev.spur.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Log and end of one process of a run, read from its files. Thread-safe. */
public final class ProcessOutput {
    private final RunFolder folder;
    private final int rank;
    private final Path log;

    ProcessOutput(RunFolder folder, int rank, Path log) {
        this.folder = folder;
        this.rank = rank;
        this.log = log;
    }

    /**
     * End of a process.
     *
     * @param exitCode exit code; 128 plus the signal number for a killed process
     * @param stopped true if it ended after a stop request, after another process had failed, or with the lease
     * @param outOfHostMemory true if the kernel killed a process of the run for lack of memory
     * @param age time since the end
     */
    public record ProcessEnd(int exitCode, boolean stopped, boolean outOfHostMemory, Duration age) {}

    public int rank() {
        return rank;
    }

    public Path log() {
        return log;
    }

    /** Returns the earlier part of the log, which exists after a rotation. */
    public Path earlierLog() {
        return log.resolveSibling(log.getFileName() + LogPruner.EARLIER);
    }

    /**
     * Returns the end of the process; empty while it runs.
     *
     * @param over true if the run has ended: a process without a recorded exit code was killed with its guard
     */
    public Optional<ProcessEnd> end(boolean over) {
        Optional<Integer> code = folder.exit(rank);
        if (code.isEmpty() && !over) {
            return Optional.empty();
        }
        Instant at = time(folder.of(rank).resolve(RunFolder.EXIT)).orElseGet(Instant::now);
        int exitCode = code.orElse(ProcessRun.KILLED);
        boolean stopped = folder.hasLapsed(rank)
                || folder.stopMarks()
                        .flatMap(mark -> time(mark).stream())
                        .anyMatch(stop -> precedes(stop, at, exitCode));
        Duration age = Duration.between(at, Instant.now());
        return Optional.of(new ProcessEnd(
                exitCode, stopped, folder.isMarkedOutOfMemory(), age.isNegative() ? Duration.ZERO : age));
    }

    /**
     * The clock of files advances every few milliseconds. Of equal times, only a signal shows that the stop was first.
     */
    private static boolean precedes(Instant stop, Instant end, int exitCode) {
        return stop.isBefore(end) || (stop.equals(end) && exitCode > Byte.MAX_VALUE);
    }

    private static Optional<Instant> time(Path file) {
        try {
            return Optional.of(
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
        } catch (IOException missing) {
            return Optional.empty();
        }
    }
}
