package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Atomically written files of one line. */
public final class SmallFile {

    /** Permissions of a file for all users that can enter its folder. */
    static final Set<PosixFilePermission> SHARED = PosixFilePermissions.fromString("rw-r--r--");

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> GROUP = PosixFilePermissions.fromString("rw-r-----");
    private static final Set<StandardOpenOption> OVERWRITE =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);

    private SmallFile() {}

    /**
     * Writes a temporary file and renames it, so that readers never see partial content. Only the user of this program
     * can read it.
     */
    public static void write(Path file, String text) {
        write(file, text, PRIVATE, null);
    }

    /** Writes a file as {@link #write} does, which {@code reader} can read as well; null for no other user. */
    public static void write(Path file, String text, @Nullable JobUser reader) {
        write(file, text, reader == null ? PRIVATE : GROUP, reader);
    }

    /** Writes a file as {@link #write} does, for all users that can enter its folder. */
    static void writeShared(Path file, String text) {
        write(file, text, SHARED, null);
    }

    private static void write(Path file, String text, Set<PosixFilePermission> permissions, @Nullable JobUser reader) {
        try {
            Path copy = file.resolveSibling(file.getFileName() + ".new");
            try (var channel = Files.newByteChannel(copy, OVERWRITE, PosixFilePermissions.asFileAttribute(PRIVATE))) {
                ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            if (reader != null) {
                Files.setAttribute(copy, "unix:gid", (int) reader.gid(), LinkOption.NOFOLLOW_LINKS);
            }
            Files.setPosixFilePermissions(copy, permissions);
            Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the stripped text; empty if the file does not exist. */
    public static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a file in a folder of a job, which may have replaced it by anything.
     *
     * @param maxBytes maximum size
     * @return empty if the file does not exist; an empty text if it is not a regular file of at most this size
     */
    public static Optional<String> readForeign(Path file, int maxBytes) {
        // opened for reading alone, a pipe would wait for a writer
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer buffer = ByteBuffer.allocate(maxBytes + 1);
            // a pipe has no positions and ends this with an error
            while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) > 0) {}
            boolean complete = buffer.position() <= maxBytes;
            return Optional.of(
                    complete ? new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8).strip() : "");
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException notRegular) {
            return Optional.of("");
        }
    }

    /** Deletes the file if it exists. */
    public static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
