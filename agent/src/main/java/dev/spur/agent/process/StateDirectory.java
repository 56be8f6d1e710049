package dev.spur.agent.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The folder in which an agent keeps what must outlive it. One agent at a time may have it open; the lock goes away
 * with the process, however that ends.
 *
 * <pre>
 * agent.lock   held by the agent that has the folder open
 * guard.sh     what starts processes
 * lease        uptime of the machine up to which jobs may run
 * devices/     a file for each device that a run holds, with the id of the run
 * runs/        a folder for each run
 * logs/        what jobs printed: JOB/gen-GENERATION-rank-RANK.log, and .log.1 for what was too long
 * aggregators/ runs and logs of aggregators, and a file for each with what it is to sum
 * preparations/ runs and logs of preparations, and a file for each with what it borrows
 * </pre>
 */
public final class StateDirectory implements AutoCloseable {
    private final Path root;
    private final Path home;
    private final FileChannel lock;

    private StateDirectory(Path root, Path home, FileChannel lock) {
        this.root = root;
        this.home = home;
        this.lock = lock;
    }

    /**
     * Opens the folder and creates what is missing.
     *
     * @throws IOException if it cannot be written, or another agent has it open; the message says which
     */
    public static StateDirectory open(Path folder) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        createFolders(root);
        FileChannel lock =
                FileChannel.open(root.resolve("agent.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(lock)) {
            lock.close();
            throw new IOException("Another agent uses %s. Give each agent a --state of its own.".formatted(root));
        }
        try (InputStream script = StateDirectory.class.getResourceAsStream("guard.sh")) {
            Path copy = root.resolve("guard.sh.new");
            Files.copy(Objects.requireNonNull(script, "guard.sh"), copy, StandardCopyOption.REPLACE_EXISTING);
            // Renamed, because a shell reads the old one while it runs.
            Files.move(copy, root.resolve("guard.sh"), StandardCopyOption.ATOMIC_MOVE);
        }
        return new StateDirectory(root, root, lock);
    }

    /**
     * A folder of the same kind within this one, for runs of another sort under the same lease.
     *
     * @throws IOException if it cannot be written
     */
    public StateDirectory part(String name) throws IOException {
        createFolders(root.resolve(name));
        return new StateDirectory(root.resolve(name), home, lock);
    }

    /** Only the owner enters folders that are created here: logs and environments of jobs are in them. */
    private static void createFolders(Path root) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        for (String part : List.of("devices", "runs", "logs")) {
            Files.createDirectories(root.resolve(part), owner);
        }
    }

    /** A file of this folder. */
    public Path file(String name) {
        return root.resolve(name);
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    Path guard() {
        return home.resolve("guard.sh");
    }

    Path lease() {
        return home.resolve("lease");
    }

    Path devices() {
        return root.resolve("devices");
    }

    Path run(String id) {
        return root.resolve("runs").resolve(id);
    }

    Path log(String jobId, long generation, int rank) {
        return root.resolve("logs").resolve(jobId).resolve("gen-%04d-rank-%d.log".formatted(generation, rank));
    }

    /** Ids of all runs that have a folder. */
    List<String> runs() throws IOException {
        try (Stream<Path> folders = Files.list(root.resolve("runs"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
