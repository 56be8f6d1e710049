package dev.spur.agent.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * State directory of an agent. Only one agent at a time can open it; the lock ends with the process of the agent.
 *
 * <pre>
 * agent.lock   lock of the agent that uses the folder
 * guard.sh     guard script of the processes
 * lease        expiry of the lease, as uptime of the machine, twice
 * runs/        one folder for each run
 * work/        one folder for each tenant with a user of its own, for jobs without a working directory
 * logs/        output of jobs: JOB/gen-GENERATION-rank-RANK.log, and .log.1 after rotation; may be another folder
 * aggregators/ runs and logs of aggregators, and one file for each with its content
 * preparations/ runs and logs of preparations
 * roles/       runs and logs of the replicas of roles
 * exports/     runs, logs and keys of the processes that serve lent memory
 * </pre>
 */
public final class StateDirectory implements AutoCloseable {
    private final Path root;
    private final Path home;
    private final Path logs;
    private final FileChannel lock;

    private StateDirectory(Path root, Path home, Path logs, FileChannel lock) {
        this.root = root;
        this.home = home;
        this.logs = logs;
        this.lock = lock;
    }

    /**
     * Opens the folder, with the logs in its part {@code logs}.
     *
     * @throws IOException as {@link #open(Path, Path)}
     */
    public static StateDirectory open(Path folder) throws IOException {
        return open(folder, folder.resolve("logs"));
    }

    /**
     * Opens the folder and creates missing parts. A full disk is no error if they exist.
     *
     * @param logs folder of the logs, also of another file system
     * @throws IOException if a part is not writable or another agent uses the folder; the message contains the path
     */
    public static StateDirectory open(Path folder, Path logs) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        Path output = logs.toAbsolutePath().normalize();
        createFolders(root, output);
        // without links, which others could replace
        root = root.toRealPath();
        output = output.toRealPath();
        FileChannel lock = openLock(root.resolve("agent.lock"));
        if (!isLocked(lock)) {
            lock.close();
            throw new IOException("Another agent uses %s. Each agent requires its own --state.".formatted(root));
        }
        return new StateDirectory(root, root, output, lock);
    }

    /** Opens the lock file, which no job can open: a lock for reading would keep the next agent out. */
    private static FileChannel openLock(Path file) throws IOException {
        Set<PosixFilePermission> own = PosixFilePermissions.fromString("rw-------");
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(own));
        Files.setPosixFilePermissions(file, own);
        return channel;
    }

    /**
     * Writes the guard script of this version, if it differs from the existing one.
     *
     * @throws IOException if it is not writable
     */
    void writeGuard() throws IOException {
        try (InputStream script = StateDirectory.class.getResourceAsStream("guard.sh")) {
            String text = new String(Objects.requireNonNull(script, "guard.sh").readAllBytes(), StandardCharsets.UTF_8);
            if (!Files.exists(guard()) || !Files.readString(guard()).equals(text)) {
                Path copy = home.resolve("guard.sh.new");
                Files.writeString(copy, text);
                // renamed, because a shell reads the old script while it runs
                Files.move(copy, guard(), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /**
     * Returns a subfolder of the same structure for another kind of runs under the same lease.
     *
     * @throws IOException if it is not writable
     */
    public StateDirectory part(String name) throws IOException {
        createFolders(root.resolve(name), logs.resolve(name));
        return new StateDirectory(root.resolve(name), home, logs.resolve(name), lock);
    }

    /** Creates folders that only the owner can read, because they contain logs and environments of jobs. */
    private static void createFolders(Path root, Path logs) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        for (Path folder : List.of(root.resolve("runs"), logs)) {
            Files.createDirectories(folder, owner);
        }
    }

    /**
     * Lets the users of jobs enter this folder and its runs, which only the agent can list and change, and closes the
     * logs to them.
     *
     * @throws IOException if other users can change this folder, the logs, or a parent of them; the message contains it
     */
    public void admitJobUsers() throws IOException {
        Folders.requireUnchangeable(root);
        Folders.requireUnchangeable(logs);
        Files.createDirectories(work());
        for (Path folder : List.of(root, root.resolve("runs"), work())) {
            Files.setPosixFilePermissions(folder, Folders.ENTER);
        }
        Files.setPosixFilePermissions(logs, Folders.OWN);
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

    Path run(String id) {
        return root.resolve("runs").resolve(id);
    }

    /** Returns the folder of the working directories of tenants with users of their own. */
    public Path work() {
        return root.resolve("work");
    }

    Path log(String jobId, long generation, int rank) {
        return logs.resolve(jobId).resolve("gen-%04d-rank-%d.log".formatted(generation, rank));
    }

    /** Returns the folder of the logs. */
    public Path logs() {
        return logs;
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
