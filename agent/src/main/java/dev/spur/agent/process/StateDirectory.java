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
 * State directory of an agent. Only one agent at a time can open it; the lock ends with the process of the agent.
 *
 * <pre>
 * agent.lock   lock of the agent that uses the folder
 * guard.sh     guard script of the processes
 * lease        expiry of the lease, as uptime of the machine
 * devices/     one file for each locked device, with the id of its run
 * runs/        one folder for each run
 * logs/        output of jobs: JOB/gen-GENERATION-rank-RANK.log, and .log.1 after rotation
 * aggregators/ runs and logs of aggregators, and one file for each with its content
 * preparations/ runs and logs of preparations, and one file for each with its borrowed memory
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
     * Opens the folder and creates missing parts.
     *
     * @throws IOException if it is not writable or another agent uses it; the message contains the path
     */
    public static StateDirectory open(Path folder) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        createFolders(root);
        FileChannel lock =
                FileChannel.open(root.resolve("agent.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(lock)) {
            lock.close();
            throw new IOException("Another agent uses %s. Each agent requires its own --state.".formatted(root));
        }
        try (InputStream script = StateDirectory.class.getResourceAsStream("guard.sh")) {
            Path copy = root.resolve("guard.sh.new");
            Files.copy(Objects.requireNonNull(script, "guard.sh"), copy, StandardCopyOption.REPLACE_EXISTING);
            // renamed, because a shell reads the old script while it runs
            Files.move(copy, root.resolve("guard.sh"), StandardCopyOption.ATOMIC_MOVE);
        }
        return new StateDirectory(root, root, lock);
    }

    /**
     * Returns a subfolder of the same structure for another kind of runs under the same lease.
     *
     * @throws IOException if it is not writable
     */
    public StateDirectory part(String name) throws IOException {
        createFolders(root.resolve(name));
        return new StateDirectory(root.resolve(name), home, lock);
    }

    /** Creates folders that only the owner can read, because they contain logs and environments of jobs. */
    private static void createFolders(Path root) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        for (String part : List.of("devices", "runs", "logs")) {
            Files.createDirectories(root.resolve(part), owner);
        }
    }

    /** Returns the path of a file in this folder. */
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

    /** Returns the ids of all runs that have a folder. */
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
