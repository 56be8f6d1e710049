package dev.spur.service.postgres;

import dev.spur.service.StartupFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Spur home as PostgreSQL uses it, held by this process until it is closed or dies.
 *
 * <pre>
 * HOME/lock                     held for life; contains the process id of the holder
 * HOME/postgres/password        of the only user, readable by the owner
 * HOME/postgres/data            the data directory
 * HOME/postgres/server.log      what the server printed
 * HOME/postgres/NAME-VERSION    the unpacked server
 * </pre>
 */
final class PostgresHome implements AutoCloseable {

    private static final int PASSWORD_BYTES = 24;

    /** Only the owner enters directories that are created here; an existing directory keeps its permissions. */
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * Homes held by this process. The lock of the operating system does not see a second attempt from the same process,
     * and closing that attempt's file would even release the first one's lock.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final Path postgres;
    private final FileChannel lock;
    private final String password;

    private PostgresHome(Path root, FileChannel lock, String password) {
        this.root = root;
        this.postgres = postgres(root);
        this.lock = lock;
        this.password = password;
    }

    /**
     * Creates the home if need be and takes it.
     *
     * @throws StartupFailure when it cannot be written or another process has it
     */
    static PostgresHome open(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        if (!HELD.add(root)) {
            throw inUse(root, "this process");
        }
        boolean open = false;
        try {
            Files.createDirectories(postgres(root), PRIVATE);
            var home = new PostgresHome(root, takeLock(root), passwordIn(root));
            open = true;
            return home;
        } catch (IOException e) {
            throw new StartupFailure(
                    "Cannot write to the Spur home %s (%s). Set SPUR_HOME to a directory that can be written."
                            .formatted(root, Reason.of(e)),
                    e);
        } finally {
            if (!open) {
                HELD.remove(root);
            }
        }
    }

    /** The directory for everything of PostgreSQL. */
    Path directory() {
        return postgres;
    }

    /** The directories that lead to everything of PostgreSQL. */
    List<Path> way() {
        return List.of(root, postgres);
    }

    /** The data directory; absent before the first start. */
    Path data() {
        return dataIn(root);
    }

    /** Where the server prints to. */
    Path log() {
        return postgres.resolve("server.log");
    }

    /** The password of the only user. */
    String password() {
        return password;
    }

    /** Gives the home back. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot release the lock of " + root, e);
        } finally {
            HELD.remove(root);
        }
    }

    /** The data directory of a home that another process may hold. */
    static Path dataIn(Path root) {
        return postgres(root).resolve("data");
    }

    /** The file with the password of such a home. */
    static Path passwordFileIn(Path root) {
        return postgres(root).resolve("password");
    }

    private static Path postgres(Path root) {
        return root.resolve("postgres");
    }

    /** The lock lives as long as its channel. */
    private static FileChannel takeLock(Path root) throws IOException {
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

    private static StartupFailure inUse(Path root, String holder) {
        return new StartupFailure("The Spur home %s is in use by %s. Stop it, or set SPUR_HOME to another directory."
                .formatted(root, holder));
    }

    private static String holder(FileChannel channel) throws IOException {
        var content = ByteBuffer.allocate(20);
        channel.read(content, 0);
        String pid = StandardCharsets.US_ASCII.decode(content.flip()).toString().strip();
        return "another process" + (pid.isEmpty() ? "" : " (%s)".formatted(pid));
    }

    private static String passwordIn(Path root) throws IOException {
        Path file = passwordFileIn(root);
        if (!Files.exists(file)) {
            var random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            writePrivately(file, HexFormat.of().formatHex(random));
        }
        return Files.readString(file).strip();
    }

    /** Writes a file that only its owner can read, complete or not at all. */
    static void writePrivately(Path file, String content) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        Files.deleteIfExists(partial);
        Files.createFile(partial, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(partial, content);
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
