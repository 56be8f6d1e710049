package dev.spur.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Lock on a Spur home, held until it is closed or the process ends. {@code HOME/lock} contains the process id. */
public final class SpurHome implements AutoCloseable {

    /**
     * Homes held by this process. The lock of the operating system does not detect a second attempt from the same
     * process; closing the file of that attempt would even release the first lock.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final FileChannel lock;

    private SpurHome(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /**
     * Checks that a home can be locked. Commands check this before they start the server, which takes seconds.
     *
     * @throws EmbeddedPostgresException if the home cannot be written or another process holds it
     */
    public static void requireFree(Path directory) {
        take(directory).close();
    }

    /**
     * Locks the home; creates it if it is missing.
     *
     * @throws EmbeddedPostgresException if the home cannot be written or another process holds it
     */
    public static SpurHome take(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        if (!HELD.add(root)) {
            throw inUse(root, "this process");
        }
        boolean taken = false;
        try {
            createPrivate(root);
            if (!Files.isWritable(root)) {
                throw new AccessDeniedException(root.toString());
            }
            SpurHome home = new SpurHome(root, lock(root));
            taken = true;
            return home;
        } catch (IOException exception) {
            throw unwritable(root, exception);
        } finally {
            if (!taken) {
                HELD.remove(root);
            }
        }
    }

    /** The failure for a home in which a file cannot be written. */
    static EmbeddedPostgresException unwritable(Path root, IOException cause) {
        return new EmbeddedPostgresException(
                "Cannot write to the Spur home %s (%s). Set SPUR_HOME to a directory that can be written."
                        .formatted(root, IoMessages.of(cause)),
                cause);
    }

    /** Creates a directory that only its owner can enter. An existing directory keeps its permissions. */
    static void createPrivate(Path directory) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** The absolute directory. */
    public Path root() {
        return root;
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException exception) {
            throw new IllegalStateException("Cannot release the lock of " + root, exception);
        } finally {
            HELD.remove(root);
        }
    }

    /** Locks the file. The lock is held as long as its channel is open. */
    private static FileChannel lock(Path root) throws IOException {
        var channel = FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            String holder = holder(channel);
            channel.close();
            throw inUse(root, holder);
        }
        channel.truncate(0);
        channel.write(StandardCharsets.US_ASCII.encode(
                Long.toString(ProcessHandle.current().pid())));
        return channel;
    }

    private static EmbeddedPostgresException inUse(Path root, String holder) {
        return new EmbeddedPostgresException(
                "The Spur home %s is in use by %s. Stop it, or set SPUR_HOME to another directory."
                        .formatted(root, holder));
    }

    private static String holder(FileChannel channel) throws IOException {
        var content = ByteBuffer.allocate(20);
        channel.read(content, 0);
        String pid = StandardCharsets.US_ASCII.decode(content.flip()).toString().strip();
        return "another process" + (pid.isEmpty() ? "" : " (%s)".formatted(pid));
    }
}
